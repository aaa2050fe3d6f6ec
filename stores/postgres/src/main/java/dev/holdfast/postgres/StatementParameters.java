package dev.holdfast.postgres;

import dev.holdfast.Key;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Binder of consecutive parameters. An array parameter has one value for each element of a list. */
final class StatementParameters {
    private final PreparedStatement statement;
    private int bound;

    StatementParameters(PreparedStatement statement) {
        this.statement = statement;
    }

    <T> StatementParameters array(
            BinaryArrayCodec.Element type, List<T> of, Function<? super T, ? extends @Nullable Object> value)
            throws SQLException {
        return value(BinaryArrayCodec.of(type, of, value));
    }

    StatementParameters keys(List<Key> keys) throws SQLException {
        return array(BinaryArrayCodec.Element.TEXT, keys, Key::namespace)
                .array(BinaryArrayCodec.Element.TEXT, keys, Key::name);
    }

    StatementParameters value(Object value) throws SQLException {
        statement.setObject(++bound, value);
        return this;
    }
}
