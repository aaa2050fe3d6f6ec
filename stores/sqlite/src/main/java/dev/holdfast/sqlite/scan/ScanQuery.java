package dev.holdfast.sqlite.scan;

import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.sqlite.SqliteRows;
import dev.holdfast.sqlite.SqliteSession;
import dev.holdfast.sqlite.clock.BootTime;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoredEntry;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a scan: a range of one index, starting after the last row of the previous page. The query names its index
 * explicitly.
 *
 * <p>Criteria that the index does not cover are checked row by row. If matches are rare, a page ends after a number of
 * rows with the matches found so far, so that it takes a bounded time.
 */
public final class ScanQuery {
    /** The most entries of a page, even if the caller requests more. With the largest attributes this is 64 MB. */
    private static final int PAGE_LIMIT = 1_000;

    /** The most rows that a page examines: some 20 ms. */
    private static final int EXAMINED_LIMIT = 5_000;

    private final EntryScan entryScan;
    private final RowOrder rowOrder;
    private final int limit;

    /** @throws IllegalArgumentException for a cursor that no page ended with */
    public ScanQuery(EntryScan entryScan) {
        this.entryScan = entryScan;
        this.rowOrder = entryScan.state() == null && entryScan.token() == null
                ? new KeyOrder(entryScan)
                : new IdOrder(entryScan);
        this.limit = Math.min(entryScan.limit(), PAGE_LIMIT);
    }

    String sql() {
        return rowOrder.sql();
    }

    public ScanPage run(SqliteSession sqliteSession, @Nullable BootTime now) throws SQLException {
        rowOrder.begin(sqliteSession);
        PreparedStatement select = sqliteSession.prepared(rowOrder.sql());
        int most = isFiltered() ? EXAMINED_LIMIT : limit;
        rowOrder.bind(select, most + 1);
        List<StoredEntry> found = new ArrayList<>();
        String cursor = null;
        try (ResultSet row = select.executeQuery()) {
            for (int examined = 0; row.next(); examined++) {
                if (found.size() == limit || examined == most) {
                    return new ScanPage(found, cursor);
                }
                StoredEntry storedEntry = SqliteRows.stored(row, now);
                if (entryScan.matches(storedEntry.entry())) {
                    found.add(storedEntry);
                }
                cursor = rowOrder.cursor(storedEntry.entry().key(), row.getLong(SqliteRows.ID));
            }
        }
        return new ScanPage(found, null);
    }

    /** Returns whether rows of the range may fail to match. */
    private boolean isFiltered() {
        return entryScan.holder() != null || entryScan.token() != null;
    }

    /** Returns the smallest text above all texts that begin with {@code prefix}; null if there is none. */
    static @Nullable String above(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                return prefix.substring(0, end) + Character.toString(following(last));
            }
        }
        return null;
    }

    /** Skips surrogates: they are not characters, so no text contains one. */
    private static int following(int codePoint) {
        return codePoint + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : codePoint + 1;
    }

    /** Binds the end of the range of namespaces that begin with {@code prefix}. */
    static void bindEnd(PreparedStatement select, int parameter, String prefix) throws SQLException {
        String end = above(prefix);
        if (end == null) {
            select.setBytes(parameter, new byte[1]); // any blob sorts above all texts
        } else {
            select.setString(parameter, end);
        }
    }

    /**
     * Returns whether a scan of {@code prefix} starts after a cursor's row in {@code namespace}, rather than at the
     * prefix.
     */
    static boolean isInside(String namespace, String prefix) {
        return ArgumentCheck.compareCodePoints(namespace, prefix) >= 0;
    }
}
