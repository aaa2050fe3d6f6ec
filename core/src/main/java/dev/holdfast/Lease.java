package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A lease that was granted to this process.
 *
 * <p>It is owned by its {@link #token}, not by a thread: any thread may use it and end it. By default it is renewed in
 * the background until it ends.
 *
 * <p><b>What a lease cannot promise.</b> A process may be paused between looking at {@link #isHeld} and acting on it,
 * for longer than the term; another may then be granted the key, rightly. No lease, of Holdfast or of anyone, can
 * prevent that. What helps is to hand the {@link #fence} to the resource with every write, and to let the resource
 * refuse a fence smaller than the largest it has seen:
 *
 * <pre>
 *   A: granted, fence 33 ---- paused ------------------------ writes with 33: refused
 *   B:                          granted, fence 34 -- writes with 34: taken
 * </pre>
 *
 * <p>Leases are not reentrant: a second acquisition of the same key, by the same thread or client, waits for the first
 * lease to end.
 *
 * <p>Thread-safe. Methods that talk to the store block, for as long as the client's operation time-out at most; each has
 * a form that does not.
 */
public interface Lease extends AutoCloseable {
    Key key();

    Holder holder();

    /** The proof of this grant: whoever has it may renew, release and finish the lease. */
    Token token();

    /**
     * What the protected resource checks.
     *
     * @throws UnsupportedFeatureException in a layout of another tool that has no place for one; see {@link #hasFence}
     */
    Fence fence();

    /** Whether there is a fence; not in all layouts of other tools. */
    default boolean hasFence() {
        return true;
    }

    Term term();

    /** The attributes of the key, as of this lease's last write. */
    Attributes attributes();

    /**
     * Whether this process may believe that it holds the key. A comparison of clocks: no I/O. Once false, it stays
     * false.
     */
    boolean isHeld();

    /**
     * How long it may be believed without a further renewal; zero if it is not held. No I/O. Unlike {@link #isHeld} it
     * makes nothing final: a renewal that is answered late may make it grow again, if nobody was told of a loss.
     */
    Duration remaining();

    /**
     * @throws LeaseLostException if the lease was lost
     * @throws IllegalStateException if this process ended it
     */
    void checkHeld();

    /**
     * Calls {@code callback} once when the lease is lost, or at once if it is lost already; never if this process ends
     * the lease itself (ending its anchor is a loss, as others here may be at work under it). The callbacks of one lease
     * run one after another, where they may block; those of other leases run meanwhile.
     */
    Lease onLost(Consumer<LostReason> callback);

    /**
     * Calls {@code callback} each time the lease comes within {@code before} of its end because renewals do not get
     * through: a warning while there is still time to stop what it protects.
     *
     * @param before less than two thirds of the term, as a lease is renewed after the first third
     */
    Lease onExpiring(Duration before, Runnable callback);

    /** Begins a new term now. Needed only where leases are not renewed in the background. */
    CompletionStage<Void> renewAsync();

    /**
     * Gives the key up; from this call on it is not held.
     *
     * @return false if it was not this lease's any more
     */
    CompletionStage<Boolean> releaseAsync();

    /**
     * Finishes the key, for ever; from this call on it is not held. {@code patch} changes the attributes with the same
     * write. If it fails it may be called again; the lease is no longer renewed, but can be finished until another is
     * granted the key.
     */
    CompletionStage<Void> doneAsync(AttributePatch patch);

    /** Changes the attributes of the key. This does not renew the lease. */
    CompletionStage<Void> updateAsync(AttributePatch patch);

    /**
     * Leaves the lease to whoever has its token, another process perhaps: this object renews and releases it no more, and
     * from this call on it is not held here. It ends with its term unless somebody renews it. No I/O.
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
     * Finishes the key. Succeeds as long as nobody else was granted it, even if the term ran out meanwhile.
     *
     * @throws LeaseLostException if somebody else was granted it, or it was freed
     */
    default void done() {
        done(AttributePatch.NONE);
    }

    /** @see #done() */
    void done(AttributePatch patch);

    /** @throws LeaseLostException if another was granted the key, or it was freed or finished */
    void update(AttributePatch patch);

    /**
     * Releases the lease if it has not ended. Idempotent. A store in trouble is logged and not thrown: the lease then
     * ends with its term.
     */
    @Override
    void close();
}
