package dev.holdfast.spring.integration;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.locks.Locks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A lock registry of Spring Integration on the leases of Holdfast.
 *
 * <pre>{@code
 * @Bean
 * LockRegistry<DistributedLock> lockRegistry(Leases leases) {
 *     return new HoldfastLockRegistry(leases);
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@code lock()}, {@code tryLock()} and the like: the lease is renewed in the background while the lock is held. No task
 *       scheduler is needed for that. After a crash, others get the lock when the term of the options is over.
 *   <li>{@code lock(ttl)} and {@code tryLock(wait, ttl)}: the caller bounds the hold. The lock is lost after {@code ttl}, unless
 *       {@link #renewLock} is called before. If this thread holds the lock already, {@code ttl} changes nothing.
 *   <li>{@code unlock()} throws {@link java.util.ConcurrentModificationException} if the lock was lost while it was held, as
 *       {@code JdbcLockRegistry} does. {@link #onLost} reports it at once.
 *   <li>A thread that waits is notified when the lock is free, and does not poll.
 * </ul>
 *
 * <p>Locks are keys in the namespace {@code lock-registry}, or in another one. Keys of locks are texts. Have one registry per
 * namespace and application: locks are reentrant within one registry.
 *
 * <p>Thread-safe. It does not close the client.
 */
public final class HoldfastLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {
    /** The namespace of the locks. */
    public static final String DEFAULT_NAMESPACE = "lock-registry";

    /** As many as {@code JdbcLockRegistry} keeps. A lock that was dropped works on: its state is not in here. */
    private static final int CACHED_LOCKS = 256;

    private final Locks locks;
    private final String namespace;
    private final AcquireOptions options;

    /** The locks that were obtained last, so that the same key gives the same lock. Guarded by itself. */
    private final Map<String, RegistryLock> cached = new LinkedHashMap<>(16, 0.75f, true);

    public HoldfastLockRegistry(Leases leases) {
        this(leases, DEFAULT_NAMESPACE);
    }

    public HoldfastLockRegistry(Leases leases, String namespace) {
        this(leases, namespace, AcquireOptions.defaults());
    }

    /** @param options of the leases; their term is the time after a crash until others get the lock */
    public HoldfastLockRegistry(Leases leases, String namespace, AcquireOptions options) {
        this.locks = Locks.of(leases);
        this.namespace = Key.of(namespace, "any").namespace();
        this.options = options;
    }

    /** Calls {@code listener} when a lock is lost while it is held, for all locks that are acquired from now on. */
    public HoldfastLockRegistry onLost(BiConsumer<Key, LostReason> listener) {
        locks.onLost(listener);
        return this;
    }

    /** @param lockKey a text */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return lock(lockKey);
    }

    private RegistryLock lock(Object lockKey) {
        if (!(lockKey instanceof String name)) {
            throw new IllegalArgumentException("lockKey: " + lockKey + " (expected: a String)");
        }
        synchronized (cached) {
            RegistryLock lock =
                    cached.computeIfAbsent(name, absent -> new RegistryLock(locks, Key.of(namespace, name), options));
            if (cached.size() > CACHED_LOCKS) {
                cached.remove(cached.keySet().iterator().next());
            }
            return lock;
        }
    }

    /** @param age in milliseconds */
    @Override
    public void expireUnusedOlderThan(long age) {
        synchronized (cached) {
            cached.values().removeIf(lock -> lock.isUnusedFor(Duration.ofMillis(age)));
        }
    }

    /**
     * Begins a new term of the same length now.
     *
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws IllegalStateException if the lock was lost
     */
    @Override
    public void renewLock(Object lockKey) {
        try {
            lock(lockKey).renew();
        } catch (LeaseLostException e) {
            throw new IllegalStateException("Could not renew lock " + lockKey, e);
        }
    }

    /** The same with another time to live. The lock is lost after that, unless it is renewed again. */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        try {
            lock(lockKey).renew(ttl);
        } catch (LeaseLostException e) {
            throw new IllegalStateException("Could not renew lock " + lockKey, e);
        }
    }
}
