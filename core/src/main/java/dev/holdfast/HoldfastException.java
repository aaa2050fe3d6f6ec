package dev.holdfast;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The superclass of the exceptions of Holdfast, apart from the JDK's exceptions for bad arguments. */
public abstract class HoldfastException extends RuntimeException {
    private final transient @Nullable Key key;

    protected HoldfastException(@Nullable Key key, String message, @Nullable Throwable cause) {
        super(key == null ? message : key + ": " + message, cause);
        this.key = key;
    }

    /** The key that it concerns; empty if it concerns none, or several. */
    public final Optional<Key> key() {
        return Optional.ofNullable(key);
    }
}
