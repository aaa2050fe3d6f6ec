package dev.holdfast;

import org.jspecify.annotations.Nullable;

/** A lease that the caller cannot go on without was not granted: the key is held by another, or done. */
public final class NotGrantedException extends HoldfastException {
    private final transient AcquireResult result;

    public NotGrantedException(AcquireResult result) {
        super(keyOf(result), message(result), null);
        this.result = result;
    }

    /** Who holds it, or when it was done. */
    public AcquireResult result() {
        return result;
    }

    private static @Nullable Key keyOf(AcquireResult result) {
        if (result instanceof AcquireResult.Held held) {
            return held.key();
        }
        return result instanceof AcquireResult.Done done ? done.key() : null;
    }

    private static String message(AcquireResult result) {
        if (result instanceof AcquireResult.Held held) {
            return "held by " + held.holder() + " for another " + held.remaining();
        }
        return result instanceof AcquireResult.Done done ? "done since " + done.doneAt() : "granted";
    }
}
