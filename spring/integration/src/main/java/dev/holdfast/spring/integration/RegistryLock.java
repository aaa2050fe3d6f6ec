package dev.holdfast.spring.integration;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.locks.LeaseLock;
import dev.holdfast.locks.Locks;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock of the registry: a view of the lock of its key. */
final class RegistryLock implements DistributedLock {
    private final Locks locks;
    private final AcquireOptions options;
    private final LeaseLock renewed;
    private volatile long lastUsedNanos = System.nanoTime();

    RegistryLock(Locks locks, Key key, AcquireOptions options) {
        this.locks = locks;
        this.options = options;
        this.renewed = locks.lock(key, options);
    }

    /** The same lock with a lease that is not renewed in the background. */
    private LeaseLock bounded(Duration ttl) {
        return locks.lock(renewed.key(), options.term(inMillis(ttl)).autoRenew(false));
    }

    /** Rounded up: a lock must not end early. */
    private static Duration inMillis(Duration time) {
        Duration rounded = Duration.ofMillis(time.toMillis());
        return rounded.equals(time) ? time : rounded.plusMillis(1);
    }

    @Override
    public void lock() {
        renewed.lock();
        used(true);
    }

    @Override
    public void lock(Duration ttl) {
        bounded(ttl).lock();
        used(true);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        renewed.lockInterruptibly();
        used(true);
    }

    @Override
    public boolean tryLock() {
        return used(renewed.tryLock());
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return used(renewed.tryLock(time, unit));
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        // It saturates at 292 years.
        return used(bounded(ttl).tryLock(TimeUnit.NANOSECONDS.convert(waitTime), TimeUnit.NANOSECONDS));
    }

    private boolean used(boolean isAcquired) {
        if (isAcquired) {
            lastUsedNanos = System.nanoTime();
        }
        return isAcquired;
    }

    @Override
    public void unlock() {
        try {
            renewed.unlock();
        } catch (LeaseLostException e) {
            ConcurrentModificationException lost =
                    new ConcurrentModificationException(renewed.key() + ": the lock was lost while it was held ("
                            + e.reason() + "). The data that it protects may have been changed by another holder.");
            lost.initCause(e);
            throw lost;
        }
    }

    @Override
    public Condition newCondition() {
        return renewed.newCondition();
    }

    void renew() {
        renewed.renew();
        used(true);
    }

    void renew(Duration ttl) {
        renewed.renew(inMillis(ttl));
        used(true);
    }

    boolean isUnusedFor(Duration age) {
        return !renewed.isLocked() && System.nanoTime() - lastUsedNanos >= TimeUnit.NANOSECONDS.convert(age);
    }

    @Override
    public String toString() {
        return renewed.toString();
    }
}
