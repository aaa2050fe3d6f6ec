package dev.holdfast;

import org.jspecify.annotations.Nullable;

/** Thrown when a required lease was not granted: another holder has the key, or it is done. */
public final class NotGrantedException extends HoldfastException {
    private final transient AcquireResult result;

    public NotGrantedException(AcquireResult result) {
        super(keyOf(result), message(result), null);
        this.result = result;
    }

    /** The refusal: the holder, or the time at which the key was done. */
    public AcquireResult result() {
        return result;
    }

    private static @Nullable Key keyOf(AcquireResult result) {
        if (result instanceof AcquireResult.HeldByAnother held) {
            return held.key();
        }
        return result instanceof AcquireResult.Done done ? done.key() : null;
    }

    private static String message(AcquireResult result) {
        if (result instanceof AcquireResult.HeldByAnother held) {
            return "held by " + held.holder() + " for another " + held.remaining();
        }
        return result instanceof AcquireResult.Done done ? "done since " + done.doneAt() : "granted";
    }
}
