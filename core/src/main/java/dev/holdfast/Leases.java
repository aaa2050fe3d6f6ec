package dev.holdfast;

import dev.holdfast.internal.BlockingCalls;
import dev.holdfast.internal.PagedStatuses;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who holds what, and until when.
 *
 * <p>Thread-safe. Blocking methods are refused inside callbacks of {@link #async}; they wait for the store, for the client's operation time-out at most, and are not
 * interruptible, except {@link #acquire}, which may wait for a holder. All fail with {@link StoreException} when the
 * store is in trouble; it says whether the request may have been applied.
 *
 * <p>The methods that take a token do without a {@link Lease} object: for a process that did not acquire the lease
 * itself, or that does not live as long (a command, a function).
 */
public interface Leases extends AutoCloseable {
    /** The same, without blocking. */
    AsyncLeases async();

    /** The time, timers and callback thread of this client; layers on top use these and no others. */
    HostEnvironment runtime();

    /** Acquires {@code key} if it is free, without waiting for a holder. */
    default AcquireResult tryAcquire(Key key, AcquireOptions options) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().tryAcquire(key, options));
    }

    /** Acquires the key of this name, in the empty namespace, on the usual terms. */
    default AcquireResult tryAcquire(String name) {
        return tryAcquire(Key.of(name), AcquireOptions.defaults());
    }

    /**
     * Acquires {@code key}, waiting up to {@code wait} for its holder to give way. Those who wait in one client are
     * served in order; between clients there is no order.
     *
     * @return {@code Held} if the wait was in vain
     * @throws InterruptedException if interrupted; what was acquired all the same is given back
     */
    default AcquireResult acquire(Key key, AcquireOptions options, Duration wait) throws InterruptedException {
        return BlockingCalls.interruptibly(
                runtime(),
                () -> async().acquire(key, options, wait),
                tooLate -> tooLate.lease().ifPresent(Lease::releaseAsync));
    }

    /** Acquires the key of this name, in the empty namespace, on the usual terms. */
    default AcquireResult acquire(String name, Duration wait) throws InterruptedException {
        return acquire(Key.of(name), AcquireOptions.defaults(), wait);
    }

    /**
     * Runs {@code work} under a lease: waits until the key is free, acquires it, runs the work on the calling thread, and
     * releases the key. The lease is renewed while the work runs. If it is lost, the calling thread is interrupted, so
     * that the work can stop.
     *
     * <p>Leases are not reentrant: work that acquires its own key again waits for itself.
     *
     * @return the result of the work
     * @throws LeaseLostException if the lease was lost before the work ended; an exception of the work is suppressed in it
     * @throws NotGrantedException if the key is done
     * @throws InterruptedException if the thread was interrupted while it waited for the key
     * @throws Exception thrown by the work
     */
    default <T extends @Nullable Object> T run(Key key, AcquireOptions options, LeaseWork<T> work) throws Exception {
        return run(key, options, ChronoUnit.FOREVER.getDuration(), work);
    }

    /**
     * The same, but waits up to {@code wait} only.
     *
     * @throws NotGrantedException if the key was not free in time, or is done
     */
    default <T extends @Nullable Object> T run(Key key, AcquireOptions options, Duration wait, LeaseWork<T> work)
            throws Exception {
        try (Lease lease = acquire(key, options, wait).orThrow()) {
            return LeasedRun.run(lease, work);
        }
    }

    /** The same for the key of this name, in the empty namespace, with default options. */
    default <T extends @Nullable Object> T run(String name, LeaseWork<T> work) throws Exception {
        return run(Key.of(name), AcquireOptions.defaults(), work);
    }

    /**
     * Acquires the anchor of {@code holder}: one lease, renewed in the background, that keeps alive all leases acquired
     * under it. If a process of the same name has just died, this waits for its term to run out.
     *
     * @throws NotGrantedException if another process of this name is alive
     */
    default Anchor anchor(String holder, Duration term) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().anchor(holder, term));
    }

    /**
     * Begins a new term for the lease with this token. Succeeds as long as nobody else was granted the key, even if the
     * term ran out meanwhile.
     *
     * @return how long it may be believed from now; zero if the answer came too late to believe it at all, or if the
     *     lease is held through an anchor, whose renewals alone prolong it
     * @throws LeaseLostException if somebody else was granted the key, or it was freed or finished
     * @throws UnsupportedFeatureException if the token would change with it: then use {@link #renewal}
     */
    default Duration renew(Key key, Token token) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().renew(key, token, AttributePatch.NONE));
    }

    /**
     * Like {@link #renew}, and tells the token that proves the lease from now on. It differs from {@code token} only in
     * layouts of other tools, which change it; a {@link Lease} object follows by itself.
     *
     * @throws LeaseLostException if somebody else was granted the key, or it was freed or finished
     */
    default RenewResult renewal(Key key, Token token) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().renewal(key, token, AttributePatch.NONE));
    }

    /**
     * Like {@link #renewal(Key, Token)}, with another term or another name of the holder.
     *
     * @throws LeaseLostException if the key was granted to another holder, freed or finished
     * @throws IllegalArgumentException if the store cannot keep the term, or a server is asked to change the holder
     */
    default RenewResult renewal(Key key, Token token, RenewOptions options) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().renewal(key, token, options));
    }

    /**
     * Gives the key up. Doing so twice is as good as once.
     *
     * @return false if it was not the token's to give: another was granted the key, or it is done
     */
    default boolean release(Key key, Token token) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().release(key, token));
    }

    /**
     * Finishes the key: nobody is granted it again until somebody reopens it. Succeeds as long as nobody else was
     * granted it, even if the term ran out meanwhile.
     *
     * @throws LeaseLostException if somebody else was granted the key, or it was freed
     */
    default void done(Key key, Token token, AttributePatch patch) {
        BlockingCalls.uninterruptibly(runtime(), () -> async().done(key, token, patch));
    }

    /**
     * Changes the attributes of a held key. This does not renew the lease.
     *
     * @throws LeaseLostException if the token does not hold the key any more
     */
    default void update(Key key, Token token, AttributePatch patch) {
        BlockingCalls.uninterruptibly(runtime(), () -> async().update(key, token, patch));
    }

    /** Makes a done key free again. */
    default EditResult reopen(Key key) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().reopen(key));
    }

    /** Forgets a key that nobody holds: attributes, counts, that it was done. Its fence is kept. */
    default EditResult delete(Key key) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().delete(key, null));
    }

    /** Forgets a key that {@code token} holds. */
    default EditResult delete(Key key, Token token) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().delete(key, token));
    }

    /**
     * Takes a lease away from a live holder. The holder learns of it at its next renewal, and until then goes on
     * believing: whoever is granted the key next may work at the same time. Only the fence protects the resource.
     *
     * @param reason for the log and the listener
     */
    default EditResult evict(Key key, String reason) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().evict(key, reason));
    }

    /** What is known of {@code key} now; empty if it was never leased. */
    default Optional<LeaseStatus> get(Key key) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().get(key));
    }

    /**
     * The keys that match, read page by page as the stream is consumed. Each key that matches throughout appears once;
     * one that changes meanwhile may be missing.
     */
    default Stream<LeaseStatus> list(LeaseFilter filter) {
        return PagedStatuses.stream(cursor ->
                BlockingCalls.uninterruptibly(runtime(), () -> async().list(filter, cursor, PagedStatuses.SIZE)));
    }

    /**
     * Removes keys that have been idle for so long that nothing is lost with them. Any number of clients may do this at
     * once.
     *
     * @return how many were removed
     */
    default long cleanUp(CleanUpOptions options) {
        return BlockingCalls.uninterruptibly(runtime(), () -> async().cleanUp(options));
    }

    /**
     * Releases all leases that are still held, and frees what the client uses. Calls that wait fail; a grant that is with
     * the store at this very moment ends with its term. Idempotent.
     */
    @Override
    void close();
}
