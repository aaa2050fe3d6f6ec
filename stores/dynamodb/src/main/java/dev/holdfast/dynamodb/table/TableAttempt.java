package dev.holdfast.dynamodb.table;

import dev.holdfast.StoreException;
import java.util.function.Supplier;

/** Outcome of one of several calls: a value, or an error of this call alone. */
public sealed interface TableAttempt<T> {
    record Done<T>(T value) implements TableAttempt<T> {}

    record Failed<T>(StoreException failure) implements TableAttempt<T> {}

    /** Returns the value, or throws the error. */
    default T orThrow() {
        if (this instanceof TableAttempt.Done<T> done) {
            return done.value();
        }
        throw ((Failed<T>) this).failure();
    }

    static <T> TableAttempt<T> of(Supplier<T> call) {
        try {
            return new Done<>(call.get());
        } catch (StoreException e) {
            return new Failed<>(e);
        }
    }
}
