package dev.holdfast.sqlite;

import dev.holdfast.model.Key;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** An order of rows, and a place in it. Order and ranges of texts are those of UTF-8 bytes, which are those of code points. */
interface Walk {
    /** Selects the columns of {@link Rows}, and the id. */
    String sql();

    /** Called before all else of a page. */
    void begin(Session session) throws SQLException;

    void bind(PreparedStatement select, int rows) throws SQLException;

    /** The cursor of a page that ends with this row. */
    String cursor(Key key, long id);
}
