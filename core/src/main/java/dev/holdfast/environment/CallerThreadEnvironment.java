package dev.holdfast.environment;

import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An environment without threads: scheduled tasks run on the thread that waits for a result, while it waits. For
 * platforms that freeze a process between calls.
 */
public final class CallerThreadEnvironment implements HostEnvironment {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long sequence;

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Timer schedule(Duration delay, Runnable action) {
        lock.lock();
        try {
            Task task = new Task(nanos() + ArgumentCheck.cappedNanos(delay), sequence++, action);
            tasks.add(task);
            changed.signalAll();
            return () -> cancel(task);
        } finally {
            lock.unlock();
        }
    }

    private void cancel(Task task) {
        lock.lock();
        try {
            tasks.remove(task);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void execute(Runnable callback) {
        if (CallbackThread.isUnderWay()) {
            // The callback may block, which is not allowed here. The thread that waits for this answer runs it right
            // after.
            schedule(Duration.ZERO, callback);
        } else {
            SystemEnvironment.guarded(callback);
        }
    }

    @Override
    public UUID randomId() {
        return RandomIds.oneOfFew();
    }

    @Override
    public double random() {
        return ThreadLocalRandom.current().nextDouble();
    }

    @Override
    public void await(CompletableFuture<?> future) throws InterruptedException {
        Futures.whenDone(future, (value, error) -> wakeAll());
        while (!future.isDone()) {
            Task due = takeDue(future);
            if (due != null) {
                SystemEnvironment.guarded(due.action);
            }
        }
        runDue();
    }

    private void runDue() {
        Task due = CallbackThread.isUnderWay() ? null : pollDue();
        while (due != null) {
            SystemEnvironment.guarded(due.action);
            due = pollDue();
        }
    }

    private @Nullable Task pollDue() {
        lock.lock();
        try {
            Task next = tasks.peek();
            return next == null || next.dueNanos - nanos() > 0 ? null : tasks.poll();
        } finally {
            lock.unlock();
        }
    }

    private void wakeAll() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next task to be due; null if the future is done first. */
    private @Nullable Task takeDue(CompletableFuture<?> future) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!future.isDone()) {
                Task next = tasks.peek();
                long left = next == null ? Long.MAX_VALUE : next.dueNanos - nanos();
                if (left <= 0) {
                    return tasks.poll();
                }
                changed.awaitNanos(left);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            tasks.clear();
        } finally {
            lock.unlock();
        }
    }

    private record Task(long dueNanos, long sequence, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            long difference = dueNanos - other.dueNanos;
            return difference != 0 ? Long.signum(difference) : Long.compare(sequence, other.sequence);
        }
    }
}
