package dev.holdfast;

import org.jspecify.annotations.Nullable;

/** A failure of the store. It states whether the write was applied, and whether a retry may help. */
public class StoreException extends HoldfastException {
    /** The effect of the failed writes, as far as it is known. */
    public enum Effect {
        /** None of them took effect, and none ever will. */
        NOT_APPLIED,
        /** They may have taken effect, or may still do so. */
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

    /** A temporary failure; nothing was applied. */
    public static StoreException notApplied(String message, @Nullable Throwable cause) {
        return new StoreException(null, Effect.NOT_APPLIED, true, message, cause);
    }

    /** There was no answer: it may have been applied. */
    public static StoreException unknown(String message, @Nullable Throwable cause) {
        return new StoreException(null, Effect.UNKNOWN, true, message, cause);
    }

    /** The store rejects this, now and later: nothing was applied. */
    public static StoreException rejected(String message, @Nullable Throwable cause) {
        return new StoreException(null, Effect.NOT_APPLIED, false, message, cause);
    }

    /** The same failure, for one key. */
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
