package dev.holdfast;

import org.jspecify.annotations.Nullable;

/** The store is in trouble. Says whether the write was applied, and whether asking again may help. */
public class StoreException extends HoldfastException {
    /** What is known of the writes that failed. */
    public enum Effect {
        /** None of them took effect, and none ever will. */
        NOT_APPLIED,
        /** They may have taken effect, or may yet. */
        UNKNOWN
    }

    private final Effect effect;
    private final boolean retryable;

    protected StoreException(
            @Nullable Key key, Effect effect, boolean retryable, String message, @Nullable Throwable cause) {
        super(key, message, cause);
        this.effect = effect;
        this.retryable = retryable;
    }

    /** A passing trouble; nothing was applied. */
    public static StoreException notApplied(String message, @Nullable Throwable cause) {
        return new StoreException(null, Effect.NOT_APPLIED, true, message, cause);
    }

    /** No answer came: it may have been applied. */
    public static StoreException unknown(String message, @Nullable Throwable cause) {
        return new StoreException(null, Effect.UNKNOWN, true, message, cause);
    }

    /** The store will not take this, now or later: nothing was applied. */
    public static StoreException rejected(String message, @Nullable Throwable cause) {
        return new StoreException(null, Effect.NOT_APPLIED, false, message, cause);
    }

    /** The same trouble, said of one key. */
    public StoreException about(@Nullable Key key, Effect newEffect, String message) {
        return new StoreException(key, newEffect, retryable, message, this);
    }

    public final Effect effect() {
        return effect;
    }

    public final boolean isRetryable() {
        return retryable;
    }
}
