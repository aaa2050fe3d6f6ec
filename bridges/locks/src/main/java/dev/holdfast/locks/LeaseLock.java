package dev.holdfast.locks;

import static java.util.Objects.requireNonNull;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Lock} that a lease backs; made by {@link Locks}. It is reentrant, and owned by a thread.
 *
 * <p>Methods that lock fail with {@link dev.holdfast.StoreException} if the store fails, and with {@link NotGrantedException} if the
 * key is done. They fail with {@link LeaseLostException} if this thread holds the lock already and has lost its lease: it must
 * unlock first. After a failure the thread holds the lock as often as before.
 */
public final class LeaseLock implements Lock {
    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private final Locks locks;
    private final Leases leases;
    private final Key key;
    private final AcquireOptions options;

    LeaseLock(Locks locks, Leases leases, Key key, AcquireOptions options) {
        this.locks = locks;
        this.leases = leases;
        this.key = key;
        this.options = options;
    }

    public Key key() {
        return key;
    }

    /** Waits for the lock. An interrupt does not end the wait; it is kept for the thread's next blocking call. */
    @Override
    public void lock() {
        acquire(
                mutex -> {
                    mutex.lock();
                    return true;
                },
                this::acquireUninterruptibly);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        acquire(
                mutex -> {
                    mutex.lockInterruptibly();
                    return true;
                },
                this::acquireWithoutLimit);
    }

    /** Makes one attempt. It fails without a request to the store if another thread of this process has the lock. */
    @Override
    public boolean tryLock() {
        return acquire(ReentrantLock::tryLock, () -> leases.tryAcquire(key, options));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        long waitNanos = unit.toNanos(time);
        long start = System.nanoTime();
        return acquire(
                mutex -> mutex.tryLock(waitNanos, TimeUnit.NANOSECONDS),
                () -> leases.acquire(
                        key, options, Duration.ofNanos(Math.max(0, waitNanos - (System.nanoTime() - start)))));
    }

    /** Locks the queue of this process. */
    @FunctionalInterface
    private interface MutexStep<E extends Exception> {
        boolean lock(ReentrantLock mutex) throws E;
    }

    /** Acquires the lease. */
    @FunctionalInterface
    private interface LeaseStep<E extends Exception> {
        AcquireResult acquire() throws E;
    }

    private <E extends Exception> boolean acquire(MutexStep<E> mutexStep, LeaseStep<E> leaseStep) throws E {
        LocalLock local = locks.enter(key);
        boolean isAcquired = false;
        try {
            isAcquired = mutexStep.lock(local.mutex) && hold(local, leaseStep);
        } finally {
            if (!isAcquired) {
                locks.leave(key);
            }
        }
        return isAcquired;
    }

    private <E extends Exception> boolean hold(LocalLock local, LeaseStep<E> leaseStep) throws E {
        boolean isHeld = false;
        try {
            if (local.hold == null) {
                local.hold = leased(leaseStep.acquire());
            } else {
                local.hold.checkHeld();
            }
            isHeld = local.hold != null;
        } finally {
            if (!isHeld) {
                local.mutex.unlock();
            }
        }
        return isHeld;
    }

    /** Null if another holder has the key. */
    private @Nullable LockHold leased(AcquireResult result) {
        if (result instanceof AcquireResult.Done) {
            throw new NotGrantedException(result);
        }
        return result.granted().map(locks::hold).orElse(null);
    }

    private AcquireResult acquireUninterruptibly() {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return acquireWithoutLimit();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private AcquireResult acquireWithoutLimit() throws InterruptedException {
        while (true) {
            AcquireResult result = leases.acquire(key, options, FOREVER);
            if (!(result instanceof AcquireResult.HeldByAnother)) {
                return result;
            }
        }
    }

    /**
     * Unlocks once. The last of the unlocks of a thread releases the lease.
     *
     * <p>This is the last place to learn that the lease was lost meanwhile, so the loss is thrown: code that this lock was to
     * protect may have run beside another holder. The lock is unlocked all the same.
     *
     * <p>If the store fails, this logs a warning: the work was protected, and the lease ends with its term.
     *
     * @throws LeaseLostException if the lease was lost before this call; only by the last unlock
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     */
    @Override
    public void unlock() {
        LocalLock local = held();
        try {
            if (local.mutex.getHoldCount() == 1) {
                LockHold hold = requireNonNull(local.hold);
                local.hold = null;
                hold.end();
            }
        } finally {
            local.mutex.unlock();
            locks.leave(key);
        }
    }

    private LocalLock held() {
        LocalLock local = locks.find(key);
        if (local == null || !local.mutex.isHeldByCurrentThread()) {
            throw new IllegalMonitorStateException(key + ": this thread does not hold the lock");
        }
        return local;
    }

    /**
     * Begins a new term now, of the same length as before. Needed only if the options turn off renewals in the background.
     *
     * @throws LeaseLostException if the lease was lost
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     */
    public void renew() {
        requireNonNull(held().hold).renew();
    }

    /**
     * Begins a term of this length now. From then on the lock is not renewed in the background: it is lost at the end of the term,
     * unless it is renewed before. {@link #lease} is empty from then on.
     *
     * @throws LeaseLostException if the lease was lost
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws IllegalStateException if an anchor keeps the lease alive
     */
    public void renew(Duration term) {
        requireNonNull(held().hold).renew(term);
    }

    /**
     * The lease behind the lock, for its fence and its callbacks; empty if this thread does not hold the lock. The lock ends the
     * lease: do not release it.
     */
    public Optional<Lease> lease() {
        LocalLock local = locks.find(key);
        if (local == null || !local.mutex.isHeldByCurrentThread() || local.hold == null) {
            return Optional.empty();
        }
        return local.hold.lease();
    }

    /** How often this thread holds the lock. */
    public int holdCount() {
        LocalLock local = locks.find(key);
        return local == null ? 0 : local.mutex.getHoldCount();
    }

    /** Whether a thread of this process holds the lock, or is about to. */
    public boolean isLocked() {
        LocalLock local = locks.find(key);
        return local != null && local.mutex.isLocked();
    }

    /** @throws UnsupportedOperationException always: threads of other processes could not be signalled */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                key + ": a lock on a lease has no conditions, as they could not signal threads of other processes");
    }

    @Override
    public String toString() {
        return "lock " + key + (isLocked() ? " (locked here)" : "");
    }
}
