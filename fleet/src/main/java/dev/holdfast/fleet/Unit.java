package dev.holdfast.fleet;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.LeaseLostException;
import dev.holdfast.support.BlockingCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A unit of work that was assigned to this worker. It is a lease, so the rules of {@link dev.holdfast.Lease} on pauses
 * and fences apply. Pass the {@link #fence} to every resource that the work writes to.
 *
 * <p>Thread-safe. The blocking methods may be called in the callbacks of a fleet, but not in callbacks of asynchronous
 * calls.
 */
public interface Unit {
    String name();

    /** Returns the fence, which the protected resource checks. */
    Fence fence();

    /** Returns the attributes that users set on the unit, as of this worker's last write. */
    Attributes attributes();

    /** Returns whether this worker still holds the unit, as far as it can know. No I/O. Once false, it stays false. */
    boolean isHeld();

    /** Returns how long the unit stays valid if no further renewal succeeds; zero if it is not held. No I/O. */
    Duration remaining();

    /** Returns why the work must stop; empty as long as it need not. */
    Optional<RevokeReason> revoked();

    /**
     * Returns the time until the unit is released, whether or not the work has stopped. If the unit is not revoked,
     * this is {@link #remaining}. The revoke deadline starts to count when {@code onRevoked} begins.
     */
    Duration timeToStop();

    /**
     * Changes the attributes, for example to store a checkpoint.
     *
     * <p>Fails with {@link LeaseLostException} if the unit was granted to another worker.
     */
    CompletionStage<Void> updateAsync(AttributePatch patch);

    /** Marks the unit as done. It is never assigned again unless it is reopened. No callback is called for it. */
    CompletionStage<Void> doneAsync(AttributePatch patch);

    /**
     * Releases the unit because work on it failed. It is retried on another worker after a back-off. No callback is
     * called for it, because the work has already stopped.
     */
    void fail(Throwable cause);

    /** Returns the clock and the callback threads of the client, for the blocking methods. */
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
