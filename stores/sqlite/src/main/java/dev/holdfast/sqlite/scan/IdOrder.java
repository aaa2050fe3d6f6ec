package dev.holdfast.sqlite.scan;

import dev.holdfast.Key;
import dev.holdfast.sqlite.SqliteRows;
import dev.holdfast.sqlite.SqliteSession;
import dev.holdfast.store.EntryScan;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Order of the rows of a state by namespace and then id, or of the rows of a token by id.
 *
 * <p>The first page records the newest id, and no page goes beyond it. A key that is removed and created again
 * meanwhile gets a new id, and would otherwise be returned twice.
 */
final class IdOrder implements RowOrder {
    static final String NEWEST = "SELECT coalesce(max(id), 0) FROM entry";

    private static final String SELECT = "SELECT " + SqliteRows.COLUMNS + ", id FROM entry INDEXED BY ";
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

    private static final String KIND = "id";
    private static final long UNKNOWN = -1;

    private final EntryScan entryScan;
    private final String namespace;
    private final long id;
    private long newest;

    IdOrder(EntryScan entryScan) {
        this.entryScan = entryScan;
        ScanCursor last = entryScan.cursor() == null ? null : new ScanCursor(entryScan.cursor(), KIND, 4);
        boolean isInside =
                last != null && (entryScan.token() != null || ScanQuery.isInside(last.part(1), entryScan.prefix()));
        this.namespace = last != null && isInside ? last.part(1) : entryScan.prefix();
        this.id = last != null && isInside ? last.number(2) : 0;
        this.newest = last == null ? UNKNOWN : last.number(3);
    }

    @Override
    public String sql() {
        return entryScan.token() == null ? BY_STATE : BY_TOKEN;
    }

    @Override
    public void begin(SqliteSession sqliteSession) throws SQLException {
        if (newest == UNKNOWN) {
            newest = sqliteSession.number(NEWEST);
        }
    }

    @Override
    public void bind(PreparedStatement select, int rows) throws SQLException {
        if (entryScan.token() != null) {
            select.setBytes(1, SqliteRows.bytes(entryScan.token().id()));
        } else if (entryScan.state() != null) {
            select.setInt(1, SqliteRows.number(entryScan.state()));
        }
        select.setString(2, namespace);
        select.setLong(3, id);
        ScanQuery.bindEnd(select, 4, entryScan.prefix());
        select.setLong(5, newest);
        select.setInt(6, rows);
    }

    @Override
    public String cursor(Key key, long rowId) {
        return ScanCursor.text(KIND, key.namespace(), Long.toString(rowId), Long.toString(newest));
    }
}
