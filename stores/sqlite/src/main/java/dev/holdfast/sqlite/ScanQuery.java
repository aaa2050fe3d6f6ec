package dev.holdfast.sqlite;

import dev.holdfast.sqlite.clock.BootClock.BootTime;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.ScanCursor;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a scan: a range of one index, starting after the last row of the previous page. The query names its index
 * explicitly. Texts are ordered by their UTF-8 bytes, which is also the order of code points.
 *
 * <p>Without a state or token, and below a prefix of names, rows are in the order of keys. Otherwise, the rows of a state are ordered by namespace and then id,
 * the rows of a token by id. For these, the first page records the newest id, and no page goes beyond it. A key that is
 * removed and created again meanwhile gets a new id, and would otherwise be returned twice.
 *
 * <p>Criteria that the index does not cover are checked row by row. If matches are rare, a page ends after a number of
 * rows with the matches found so far, so that it takes a bounded time.
 */
final class ScanQuery {
    static final String NEWEST = "SELECT coalesce(max(id), 0) FROM entry";

    /** Stands for the selected columns. */
    private static final String SELECT = "$ FROM entry INDEXED BY ";

    private static final String BY_KEY = SELECT
            + "entry_key WHERE (namespace, name) > (?2, ?3) AND namespace < ?4 ORDER BY namespace, name LIMIT ?6";
    /** The names of one namespace that begin with a prefix; without an end, the last parameter is above all texts. */
    private static final String BY_NAME =
            SELECT + "entry_key WHERE namespace = ?2 AND name >= ?3 AND name < ?4 ORDER BY name LIMIT ?6";

    private static final String BY_NAME_AFTER = BY_NAME.replace(">=", ">");
    /**
     * The rest of the namespace, then the later ones. SQLite cannot use {@code (namespace, id) > (?, ?)} as an index
     * range.
     */
    private static final String BY_STATE = SELECT
            + "entry_state WHERE state = ?1 AND namespace = ?2 AND id > ?3 AND id <= ?5 UNION ALL "
            + SELECT
            + "entry_state WHERE state = ?1 AND namespace > ?2 AND namespace < ?4 AND id <= ?5"
            + " ORDER BY namespace, id LIMIT ?6";

    private static final String BY_TOKEN =
            SELECT + "entry_token WHERE token = ?1 AND id > ?3 AND id <= ?5 ORDER BY id LIMIT ?6";

    /** The first parts of cursors. */
    private static final String KEY_ORDER = "key";

    private static final String ID_ORDER = "id";

    /** The most entries of a page, even if the caller requests more. With the largest attributes this is 64 MB. */
    private static final int PAGE_LIMIT = 1_000;
    /** The most rows that a page examines: some 20 ms. */
    private static final int EXAMINED_LIMIT = 5_000;

    private static final long UNKNOWN = -1;

    private final EntryScan scan;
    private final boolean isByKey;
    private final int limit;
    /** The row after which the page begins: its namespace, and its name or id. */
    private final String namespace;

    private final String name;
    private final long id;
    private long newest;

    /** @throws IllegalArgumentException for a cursor that no page ended with */
    ScanQuery(EntryScan scan) {
        this.scan = scan;
        // The index by state does not contain the name.
        this.isByKey = scan.token() == null && (scan.state() == null || scan.namePrefix() != null);
        this.limit = Math.min(scan.limit(), PAGE_LIMIT);
        ScanCursor last = scan.cursor() == null ? null : ScanCursor.parse(scan.cursor(), isByKey ? 3 : 4);
        if (last != null && !last.part(0).equals(isByKey ? KEY_ORDER : ID_ORDER)) {
            throw last.bad();
        }
        if (last != null && isByName() && !last.part(1).equals(scan.prefix())) {
            throw last.bad();
        }
        this.newest = last == null || isByKey ? UNKNOWN : last.number(3);
        // A cursor of another scan may be before the prefix.
        if (last != null
                && (scan.token() != null || ArgumentCheck.compareCodePoints(last.part(1), scan.prefix()) >= 0)) {
            this.namespace = last.part(1);
            this.name = isByKey ? last.part(2) : "";
            this.id = isByKey ? 0 : last.number(2);
        } else {
            this.namespace = scan.prefix();
            // No name is empty, so the empty text comes before all of them.
            this.name = scan.namePrefix() == null ? "" : scan.namePrefix();
            this.id = 0;
        }
    }

    String sql(SqliteStatements statements) {
        return template().replace("$", statements.selected());
    }

    private String template() {
        if (isByName()) {
            return scan.cursor() == null ? BY_NAME : BY_NAME_AFTER;
        }
        return isByKey ? BY_KEY : scan.token() == null ? BY_STATE : BY_TOKEN;
    }

    private boolean isByName() {
        return isByKey && scan.namePrefix() != null;
    }

    ScanPage run(SqliteSession session, @Nullable BootTime now) throws SQLException {
        if (!isByKey && newest == UNKNOWN) {
            newest = session.number(NEWEST);
        }
        PreparedStatement select = session.prepared(sql(session.statements()));
        int most = isFiltered() ? EXAMINED_LIMIT : limit;
        bind(select, most + 1);
        List<StoredEntry> found = new ArrayList<>();
        String cursor = null;
        try (ResultSet row = select.executeQuery()) {
            for (int examined = 0; row.next(); examined++) {
                if (found.size() == limit || examined == most) {
                    return new ScanPage(found, cursor);
                }
                StoredEntry stored = SqliteRows.stored(row, now);
                if (scan.matches(stored.entry())) {
                    found.add(stored);
                }
                cursor = cursor(row);
            }
        }
        return new ScanPage(found, null);
    }

    /** Returns whether rows of the range may fail to match. */
    private boolean isFiltered() {
        return scan.holder() != null || scan.token() != null || (isByKey && scan.state() != null);
    }

    private void bind(PreparedStatement select, int rows) throws SQLException {
        if (scan.token() != null) {
            select.setBytes(1, SqliteRows.bytes(scan.token().id()));
        } else if (scan.state() != null && !isByKey) {
            select.setInt(1, SqliteRows.number(scan.state()));
        }
        select.setString(2, namespace);
        select.setObject(3, isByKey ? name : id);
        // Any blob sorts above all texts.
        String end = isByName() ? scan.namePrefixEnd() : scan.prefixEnd();
        select.setObject(4, end == null ? new byte[1] : end);
        select.setLong(5, newest);
        select.setInt(6, rows);
    }

    private String cursor(ResultSet row) throws SQLException {
        return isByKey
                ? ScanCursor.format(KEY_ORDER, row.getString(1), row.getString(2))
                : ScanCursor.format(ID_ORDER, row.getString(1), row.getString(SqliteRows.ID), Long.toString(newest));
    }
}
