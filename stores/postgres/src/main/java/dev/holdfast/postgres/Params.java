package dev.holdfast.postgres;

import dev.holdfast.model.Key;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Binds parameters, one after the other; an array has one value of each of many things. */
final class Params {
    private final PreparedStatement statement;
    private int bound;

    Params(PreparedStatement statement) {
        this.statement = statement;
    }

    <T> Params array(BinaryArray.Element type, List<T> of, Function<? super T, ? extends @Nullable Object> value)
            throws SQLException {
        return value(BinaryArray.of(type, of, value));
    }

    Params keys(List<Key> keys) throws SQLException {
        return array(BinaryArray.Element.TEXT, keys, Key::namespace).array(BinaryArray.Element.TEXT, keys, Key::name);
    }

    Params value(Object value) throws SQLException {
        statement.setObject(++bound, value);
        return this;
    }
}
