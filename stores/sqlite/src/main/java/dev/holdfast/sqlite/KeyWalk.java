package dev.holdfast.sqlite;

import dev.holdfast.model.Key;
import dev.holdfast.spi.Scan;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** All rows of a prefix, by key. */
final class KeyWalk implements Walk {
    private static final String SQL = "SELECT " + Rows.COLUMNS + ", id FROM entry INDEXED BY entry_key"
            + " WHERE (namespace, name) > (?1, ?2) AND namespace < ?3 ORDER BY namespace, name LIMIT ?4";

    private static final String KIND = "key";

    private final String prefix;
    private final String namespace;
    private final String name;

    KeyWalk(Scan scan) {
        this.prefix = scan.prefix();
        Cursor last = scan.cursor() == null ? null : new Cursor(scan.cursor(), KIND, 3);
        boolean isInside = last != null && ScanQuery.isInside(last.part(1), prefix);
        this.namespace = last != null && isInside ? last.part(1) : prefix;
        // No name is empty, so this is before all of them.
        this.name = last != null && isInside ? last.part(2) : "";
    }

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void begin(Session session) {}

    @Override
    public void bind(PreparedStatement select, int rows) throws SQLException {
        select.setString(1, namespace);
        select.setString(2, name);
        ScanQuery.bindEnd(select, 3, prefix);
        select.setInt(4, rows);
    }

    @Override
    public String cursor(Key key, long id) {
        return Cursor.text(KIND, key.namespace(), key.name());
    }
}
