package dev.holdfast.locks;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.service.LeaseService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Leases as {@link java.util.concurrent.locks.Lock}, for code that is written for that interface.
 *
 * <pre>{@code
 * Locks locks = Locks.of(leases);
 * Lock lock = locks.lock("nightly");
 * lock.lock();
 * try {
 *     report();
 * } finally {
 *     lock.unlock();
 * }
 * }</pre>
 *
 * <p><b>This is a convenience.</b> A {@code Lock} cannot report that it is lost while it is held, and a lease can be lost. Use
 * {@link #onLost}, or {@link LeaseLock#lease}, to be notified. {@link Leases#run} also interrupts the work, and passes it the fence.
 *
 * <p>Locks are reentrant: all locks of one key that come from one {@code Locks} count together. So have one {@code Locks} per
 * application. Threads of this process queue in it, in their order, and only the first of them asks the store. Leases are renewed
 * in the background while the lock is held, unless the options say otherwise.
 *
 * <p>As with every {@code Lock}, a thread that ends without unlocking leaves the lock locked: its lease is renewed until the client
 * is closed.
 *
 * <p>Thread-safe. It uses memory for a key only while a thread holds or awaits its lock. It does not close the client.
 */
public final class Locks {
    private final Leases leases;
    private final LeaseService service;
    private final AcquireOptions options;
    private final Map<Key, LocalLock> inUse = new ConcurrentHashMap<>();
    private final List<BiConsumer<Key, LostReason>> listeners = new CopyOnWriteArrayList<>();

    private Locks(Leases leases, AcquireOptions options) {
        this.leases = leases;
        this.service = LeaseService.of(leases);
        this.options = options;
    }

    public static Locks of(Leases leases) {
        return of(leases, AcquireOptions.defaults());
    }

    /** @param options of all locks that are not given others */
    public static Locks of(Leases leases, AcquireOptions options) {
        return new Locks(leases, options);
    }

    /** The lock of the key of this name, in the empty namespace. */
    public LeaseLock lock(String name) {
        return lock(Key.of(name));
    }

    public LeaseLock lock(Key key) {
        return lock(key, options);
    }

    /** @param newOptions of the lease. They take effect when a thread locks that does not hold the lock yet. */
    public LeaseLock lock(Key key, AcquireOptions newOptions) {
        return new LeaseLock(this, leases, key, newOptions);
    }

    /**
     * Calls {@code listener} when a lease is lost while its lock is held, for all locks that are acquired from now on. It may
     * block.
     */
    public Locks onLost(BiConsumer<Key, LostReason> listener) {
        listeners.add(listener);
        return this;
    }

    /** The state of a key, for one more use. Every call is followed by one of {@link #leave}. */
    LocalLock enter(Key key) {
        return inUse.compute(key, (same, known) -> {
            LocalLock local = known == null ? new LocalLock() : known;
            local.uses++;
            return local;
        });
    }

    void leave(Key key) {
        inUse.computeIfPresent(key, (same, local) -> --local.uses == 0 ? null : local);
    }

    /** The state of a key; null if no thread uses it. */
    @Nullable
    LocalLock find(Key key) {
        return inUse.get(key);
    }

    /** How many keys are in use. */
    int size() {
        return inUse.size();
    }

    LockHold hold(Lease lease) {
        try {
            return new LockHold(leases, service, lease, List.copyOf(listeners));
        } catch (RuntimeException | Error e) {
            lease.close(); // Otherwise it would be renewed although no thread holds the lock.
            throw e;
        }
    }
}
