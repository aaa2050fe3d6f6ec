package dev.holdfast.sqlite.scan;

import dev.holdfast.Key;
import dev.holdfast.sqlite.SqliteRows;
import dev.holdfast.sqlite.SqliteSession;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Order of rows, and a position in it. Texts are ordered by their UTF-8 bytes, which is also the order of code points.
 */
interface RowOrder {
    /** SQL that selects the columns of {@link SqliteRows}, and the id. */
    String sql();

    /** Called first for each page. */
    void begin(SqliteSession sqliteSession) throws SQLException;

    void bind(PreparedStatement select, int rows) throws SQLException;

    /** Returns the cursor of a page that ends with this row. */
    String cursor(Key key, long id);
}
