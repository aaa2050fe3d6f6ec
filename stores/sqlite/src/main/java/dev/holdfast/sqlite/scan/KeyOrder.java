package dev.holdfast.sqlite.scan;

import dev.holdfast.Key;
import dev.holdfast.sqlite.SqliteRows;
import dev.holdfast.sqlite.SqliteSession;
import dev.holdfast.store.EntryScan;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Order of all rows of a prefix by key. */
final class KeyOrder implements RowOrder {
    private static final String SQL = "SELECT " + SqliteRows.COLUMNS + ", id FROM entry INDEXED BY entry_key"
            + " WHERE (namespace, name) > (?1, ?2) AND namespace < ?3 ORDER BY namespace, name LIMIT ?4";

    private static final String KIND = "key";

    private final String prefix;
    private final String namespace;
    private final String name;

    KeyOrder(EntryScan entryScan) {
        this.prefix = entryScan.prefix();
        ScanCursor last = entryScan.cursor() == null ? null : new ScanCursor(entryScan.cursor(), KIND, 3);
        boolean isInside = last != null && ScanQuery.isInside(last.part(1), prefix);
        this.namespace = last != null && isInside ? last.part(1) : prefix;
        // No name is empty, so this comes before all of them.
        this.name = last != null && isInside ? last.part(2) : "";
    }

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void begin(SqliteSession sqliteSession) {}

    @Override
    public void bind(PreparedStatement select, int rows) throws SQLException {
        select.setString(1, namespace);
        select.setString(2, name);
        ScanQuery.bindEnd(select, 3, prefix);
        select.setInt(4, rows);
    }

    @Override
    public String cursor(Key key, long id) {
        return ScanCursor.text(KIND, key.namespace(), key.name());
    }
}
