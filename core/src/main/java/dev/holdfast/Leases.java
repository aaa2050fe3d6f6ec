package dev.holdfast;

import dev.holdfast.explanation.LeaseExplanation;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client for leases.
 *
 * <p>Thread-safe. Blocking methods wait for the store, for the client's operation time-out at most. They are not interruptible,
 * except {@link #acquire} and {@link #run}, which may wait for a holder. Inside callbacks of {@link #async} they are rejected. All
 * fail with {@link StoreException} when the store fails; it states whether the request may have been applied.
 *
 * <p>The methods with a token need no {@link Lease} object. They are for a process that did not acquire the lease itself, or that
 * does not live as long (a command, a function).
 */
public interface Leases extends AutoCloseable {
    /** The same, without blocking. */
    AsyncLeases async();

    /** Acquires {@code key} if it is free, without waiting for a holder. */
    AcquireResult tryAcquire(Key key, AcquireOptions options);

    /** Acquires the key of this name, in the empty namespace, with default options. */
    default AcquireResult tryAcquire(String name) {
        return tryAcquire(Key.of(name), AcquireOptions.defaults());
    }

    /**
     * Acquires {@code key}, and waits up to {@code wait} for its holder to release it. Requests of one client are granted in
     * their order; there is no order between clients.
     *
     * @return {@code HeldByAnother} if the key was not released in time
     * @throws InterruptedException if interrupted; a lease that was granted all the same is released
     */
    AcquireResult acquire(Key key, AcquireOptions options, Duration wait) throws InterruptedException;

    /** Acquires the key of this name, in the empty namespace, with default options. */
    default AcquireResult acquire(String name, Duration wait) throws InterruptedException {
        return acquire(Key.of(name), AcquireOptions.defaults(), wait);
    }

    /**
     * Runs {@code action} under a lease: waits until the key is free, acquires it, runs the action on the calling thread, and
     * releases the key. The lease is renewed while the action runs. If it is lost, the calling thread is interrupted, so
     * that the action can stop.
     *
     * <p>Leases are not reentrant: an action that acquires its own key again waits for itself.
     *
     * @throws LeaseLostException if the lease was lost before the action ended; an exception of the action is suppressed in it
     * @throws NotGrantedException if the key is done
     * @throws InterruptedException if the thread was interrupted while it waited for the key
     * @throws Exception thrown by the action
     */
    default void run(Key key, AcquireOptions options, LeaseAction action) throws Exception {
        call(key, options, LeasedRun.work(action));
    }

    /**
     * The same, but waits up to {@code wait} only.
     *
     * @throws NotGrantedException if the key was not free in time, or is done
     */
    default void run(Key key, AcquireOptions options, Duration wait, LeaseAction action) throws Exception {
        call(key, options, wait, LeasedRun.work(action));
    }

    /** The same for the key of this name, in the empty namespace, with default options. */
    default void run(String name, LeaseAction action) throws Exception {
        call(name, LeasedRun.work(action));
    }

    /**
     * Runs work under a lease, as {@link #run(Key, AcquireOptions, LeaseAction)} does, and returns its result.
     *
     * @return the result of the work
     */
    default <T extends @Nullable Object> T call(Key key, AcquireOptions options, LeaseWork<T> work) throws Exception {
        return call(key, options, ChronoUnit.FOREVER.getDuration(), work);
    }

    /**
     * The same, but waits up to {@code wait} only.
     *
     * @throws NotGrantedException if the key was not free in time, or is done
     */
    default <T extends @Nullable Object> T call(Key key, AcquireOptions options, Duration wait, LeaseWork<T> work)
            throws Exception {
        try (Lease lease = acquire(key, options, wait).orThrow()) {
            return LeasedRun.run(lease, work);
        }
    }

    /** The same for the key of this name, in the empty namespace, with default options. */
    default <T extends @Nullable Object> T call(String name, LeaseWork<T> work) throws Exception {
        return call(Key.of(name), AcquireOptions.defaults(), work);
    }

    /**
     * Acquires the anchor of {@code holder}: one lease, renewed in the background, that keeps alive all leases acquired
     * under it. If a process of the same name has just died, this waits for its term to run out.
     *
     * @throws NotGrantedException if another process of this name is alive
     */
    Anchor anchor(String holder, Duration term);

    /**
     * Begins a new term for the lease with this token. Succeeds until another holder is granted the key, even after the term
     * has ended.
     *
     * @return how long the holder may rely on it, and the token that proves the lease from now on
     * @throws LeaseLostException if the key was granted to another holder, released or finished
     */
    default RenewResult renew(Key key, Token token) {
        return renew(key, token, RenewOptions.defaults());
    }

    /**
     * The same, with another term, other attributes or another name of the holder.
     *
     * @throws LeaseLostException if the key was granted to another holder, released or finished
     * @throws IllegalArgumentException if the store cannot keep the term, or a server is asked to change the holder
     */
    RenewResult renew(Key key, Token token, RenewOptions options);

    /**
     * Releases the key. A second release changes nothing.
     *
     * @return false if the token did not hold the key: it was granted to another holder, or it is done
     */
    boolean release(Key key, Token token);

    /**
     * Releases the key, and names the holder that should be granted it next: see {@link Lease#releaseToAsync}.
     *
     * @return false if the token did not hold the key
     */
    boolean releaseTo(Key key, Token token, String next);

    /**
     * Finishes the key: it is not granted again until it is reopened. Succeeds until another holder is granted the key, even
     * after the term has ended.
     *
     * @throws LeaseLostException if the key was granted to another holder, or released
     */
    void done(Key key, Token token, AttributePatch patch);

    /**
     * Changes the attributes of a held key. This does not renew the lease.
     *
     * @throws LeaseLostException if the token does not hold the key any more
     */
    void update(Key key, Token token, AttributePatch patch);

    /** Makes a done key free again. */
    EditResult reopen(Key key);

    /** Deletes a key that is not held: its attributes, its counts, its history, its done state. Its fence is kept. */
    EditResult delete(Key key);

    /** Deletes a key that {@code token} holds. */
    EditResult delete(Key key, Token token);

    /**
     * Takes a lease from a live holder. The holder notices at its next renewal, and relies on its lease until then. So the next
     * holder may work at the same time. Only the fence protects the resource.
     *
     * @param reason for the log, the listener, and the history of the key, which keeps up to 120 bytes of it
     */
    EditResult evict(Key key, String reason);

    /**
     * Evicts on behalf of another actor: a user of your application, for example. Without one, the actor is the holder name
     * of this client. A server that authenticates its callers puts the name of the caller before it.
     */
    EditResult evict(Key key, String reason, Holder actor);

    /** The status of {@code key}; empty if it was never leased. */
    Optional<LeaseStatus> get(Key key);

    /**
     * The reasons for the state of {@code key}: its holder, the clients that wait for it here, and the earliest moment at which
     * another client can acquire it.
     */
    LeaseExplanation explain(Key key);

    /**
     * The keys that match, read page by page as the stream is consumed. Each key that matches throughout appears once;
     * one that changes meanwhile may be missing.
     */
    Stream<LeaseStatus> list(LeaseFilter filter);

    /**
     * Removes keys that have been idle for so long that their removal changes nothing. Any number of clients may do this at
     * once.
     *
     * @return how many were removed
     */
    long cleanUp(CleanUpOptions options);

    /**
     * Releases all leases that are still held, and all resources of the client. Calls that wait fail. A grant that the store is
     * processing at this moment ends with its term. Idempotent.
     */
    @Override
    void close();
}
