package dev.holdfast.dynamodb;

import dev.holdfast.spi.StoreException;
import java.util.function.Supplier;

/** What became of one of several calls: a value, or trouble that is its own alone. */
public sealed interface Attempt<T> {
    record Done<T>(T value) implements Attempt<T> {}

    record Failed<T>(StoreException failure) implements Attempt<T> {}

    /** The value, or the trouble thrown. */
    default T orThrow() {
        if (this instanceof Attempt.Done<T> done) {
            return done.value();
        }
        throw ((Failed<T>) this).failure();
    }

    static <T> Attempt<T> of(Supplier<T> call) {
        try {
            return new Done<>(call.get());
        } catch (StoreException e) {
            return new Failed<>(e);
        }
    }
}
