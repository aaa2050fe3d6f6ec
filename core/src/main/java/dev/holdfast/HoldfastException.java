package dev.holdfast;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The root of what Holdfast throws, apart from the JDK's own exceptions for a caller's bad arguments. */
public abstract class HoldfastException extends RuntimeException {
    private final transient @Nullable Key key;

    protected HoldfastException(@Nullable Key key, String message, @Nullable Throwable cause) {
        super(key == null ? message : key + ": " + message, cause);
        this.key = key;
    }

    /** The key it is about; empty if it is about none, or about several. */
    public final Optional<Key> key() {
        return Optional.ofNullable(key);
    }
}
