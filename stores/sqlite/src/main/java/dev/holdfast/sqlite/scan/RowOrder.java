package dev.holdfast.sqlite.scan;

import dev.holdfast.Key;
import dev.holdfast.sqlite.SqliteRows;
import dev.holdfast.sqlite.SqliteSession;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** An order of rows, and a place in it. Order and ranges of texts are those of UTF-8 bytes, which are those of code points. */
interface RowOrder {
    /** Selects the columns of {@link SqliteRows}, and the id. */
    String sql();

    /** Called before all else of a page. */
    void begin(SqliteSession sqliteSession) throws SQLException;

    void bind(PreparedStatement select, int rows) throws SQLException;

    /** The cursor of a page that ends with this row. */
    String cursor(Key key, long id);
}
