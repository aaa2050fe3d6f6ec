package dev.holdfast.fleet;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.LeaseLostException;
import dev.holdfast.internal.BlockingCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A unit of work that this worker was given. It is a lease: what {@link dev.holdfast.Lease} says of pauses and fences
 * holds here too, so hand the {@link #fence} to whatever the work writes to.
 *
 * <p>Thread-safe. The blocking forms may be called inside the callbacks of a fleet, not inside those of asynchronous
 * calls.
 */
public interface Unit {
    String name();

    /** What the protected resource checks. */
    Fence fence();

    /** What users keep on the unit, as of this worker's last write. */
    Attributes attributes();

    /** Whether this worker may believe that the unit is its own. No I/O; once false, it stays false. */
    boolean isHeld();

    /** How long it may be believed if the store is not heard of again; zero if it is not held. No I/O. */
    Duration remaining();

    /** Why the work is to stop; empty as long as it is not. */
    Optional<RevokeReason> revoked();

    /**
     * How long until the unit is let go whether the work has stopped or not; the remaining belief if it is not revoked.
     * Until {@code onRevoked} begins, the revoke deadline is whole.
     */
    Duration timeToStop();

    /**
     * Changes the attributes: a checkpoint.
     *
     * <p>Fails with {@link LeaseLostException} if another was given the unit.
     */
    CompletionStage<Void> updateAsync(AttributePatch patch);

    /** Finishes the unit, for ever: nobody is given it again unless it is reopened. Nothing is called back for it. */
    CompletionStage<Void> doneAsync(AttributePatch patch);

    /**
     * Gives the unit back because work on it failed; it is tried elsewhere, after a while. Nothing is called back for it,
     * as the work has stopped.
     */
    void fail(Throwable cause);

    /** The time and callback threads of the client; for the blocking forms. */
    dev.holdfast.store.HostEnvironment runtime();

    /** @see #updateAsync */
    default void update(AttributePatch patch) {
        BlockingCalls.uninterruptibly(runtime(), () -> updateAsync(patch));
    }

    /** @see #doneAsync */
    default void done(AttributePatch patch) {
        BlockingCalls.uninterruptibly(runtime(), () -> doneAsync(patch));
    }

    /** @see #doneAsync */
    default void done() {
        done(AttributePatch.NONE);
    }
}
