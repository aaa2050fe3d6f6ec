package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A lease that was granted to this process.
 *
 * <p>It is owned by its {@link #token}, not by a thread: any thread may use it and end it. By default it is renewed in the
 * background until it ends.
 *
 * <p><b>The limit of every lease.</b> A process may be paused between a call of {@link #isHeld} and the action that follows, for
 * longer than the term. Then another holder is granted the key. No lock service can prevent that. Pass the {@link #fence} to the
 * resource with every write, and let the resource reject a fence smaller than the largest it has seen:
 *
 * <pre>
 *   A: granted, fence 33 ---- paused ------------------------ writes with 33: refused
 *   B:                          granted, fence 34 -- writes with 34: taken
 * </pre>
 *
 * <p>Leases are not reentrant: a second acquisition of the same key, by the same thread or client, waits for the first
 * lease to end.
 *
 * <p>Thread-safe. Methods that call the store block, for the client's operation time-out at most; each has an asynchronous form.
 */
public interface Lease extends AutoCloseable {
    Key key();

    Holder holder();

    /** The proof of this grant: every process that has it may renew, release and finish the lease. */
    Token token();

    /**
     * The number that the protected resource checks.
     *
     * @throws UnsupportedFeatureException in a layout of another tool that has no place for one; see {@link #hasFence}
     */
    Fence fence();

    /** Whether there is a fence; not in all layouts of other tools. */
    default boolean hasFence() {
        return true;
    }

    Duration term();

    /** The attributes of the key, as of this lease's last write. */
    Attributes attributes();

    /**
     * Whether this process may rely on holding the key. It compares clocks and does no I/O. Once false, it stays false.
     */
    boolean isHeld();

    /**
     * The time for which this process may rely on the lease without a further renewal; zero if it is not held. It does no I/O.
     * Unlike {@link #isHeld} it is not final: a late answer to a renewal may increase it again, unless a loss was reported.
     */
    Duration remaining();

    /**
     * @throws LeaseLostException if the lease was lost
     * @throws IllegalStateException if this process ended it
     */
    void checkHeld();

    /**
     * Calls {@code callback} once when the lease is lost, or at once if it is lost already; never if this process ends the
     * lease itself (the end of its anchor is a loss, as other code may work under it). The callbacks of one lease run one after
     * another and may block; callbacks of other leases run meanwhile.
     */
    Lease onLost(Consumer<LostReason> callback);

    /**
     * Calls {@code callback} each time the rest of the term falls to {@code before} because renewals fail: a warning while there
     * is still time to stop the work.
     *
     * @param before less than two thirds of the term, as a lease is renewed after the first third
     */
    Lease onExpiring(Duration before, Runnable callback);

    /** Begins a new term now. Needed only where leases are not renewed in the background. */
    CompletionStage<Void> renewAsync();

    /**
     * Releases the key; from this call on it is not held.
     *
     * @return false if this lease did not hold the key any more
     */
    CompletionStage<Boolean> releaseAsync();

    /**
     * Releases the key, and names the holder that should be granted it next. If that holder waits through the same client or server,
     * it is granted the key by the same write. Otherwise other clients that wait yield to it for a few seconds. This is a
     * courtesy: a client that does not wait may acquire the key before.
     *
     * @param next the name of a holder
     * @return false if this lease did not hold the key any more
     */
    CompletionStage<Boolean> releaseToAsync(String next);

    /** @see #releaseToAsync */
    boolean releaseTo(String next);

    /**
     * Finishes the key, for ever; from this call on it is not held. {@code patch} changes the attributes with the same
     * write. If it fails it may be called again. The lease is not renewed any more, but can be
     * finished until another holder is granted the key.
     */
    CompletionStage<Void> doneAsync(AttributePatch patch);

    /** Changes the attributes of the key. This does not renew the lease. */
    CompletionStage<Void> updateAsync(AttributePatch patch);

    /**
     * Leaves the lease to another process that has its token. This object no longer renews or releases it, and from this call on
     * it is not held here. It ends with its term unless the other process renews it. This does no I/O.
     *
     * @throws LeaseLostException if the lease was lost
     * @throws IllegalStateException if this process ended it, or if an anchor of this process keeps it alive
     */
    Token detach();

    /** @throws LeaseLostException if the lease was lost */
    void renew();

    /** @see #releaseAsync */
    boolean release();

    /**
     * Finishes the key. Succeeds until another holder is granted it, even after the term has ended.
     *
     * @throws LeaseLostException if another holder was granted it, or it was released
     */
    default void done() {
        done(AttributePatch.NONE);
    }

    /** @see #done() */
    void done(AttributePatch patch);

    /** @throws LeaseLostException if another holder was granted the key, or it was released or finished */
    void update(AttributePatch patch);

    /**
     * Releases the lease if it has not ended. Idempotent. A failure of the store is logged and not thrown: the lease then ends
     * with its term.
     */
    @Override
    void close();
}
