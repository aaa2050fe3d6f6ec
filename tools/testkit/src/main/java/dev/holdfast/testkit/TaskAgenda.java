package dev.holdfast.testkit;

import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The timers and callbacks to run, and the current time. Taking a timer moves the time to its due time. Thread-safe.
 */
final class TaskAgenda {
    /** Far more than any test needs at one moment; it stops tasks that reschedule themselves forever. */
    private static final int MOST_AT_ONE_MOMENT = 1_000_000;

    private final PriorityQueue<ScheduledTask> tasks = new PriorityQueue<>();
    private final Deque<Runnable> callbacks = new ArrayDeque<>();
    private long nanos;
    private long sequence;
    private int taken;
    private boolean closed;

    synchronized long nanos() {
        return nanos;
    }

    synchronized HostEnvironment.Timer schedule(Duration delay, Runnable action) {
        ScheduledTask task = new ScheduledTask(nanos + ArgumentCheck.cappedNanos(delay), sequence++, action);
        if (!closed) {
            tasks.add(task);
        }
        return () -> cancel(task);
    }

    private synchronized void cancel(ScheduledTask task) {
        tasks.remove(task);
    }

    synchronized void execute(Runnable callback) {
        if (!closed) {
            callbacks.add(callback);
        }
    }

    /**
     * The next task to run at or before {@code targetNanos}. If there is none, moves the time there and returns null.
     */
    synchronized @Nullable Runnable next(long targetNanos) {
        Runnable callback = callbacks.poll();
        if (callback != null) {
            return counted(callback);
        }
        ScheduledTask task = tasks.peek();
        if (task == null || task.dueNanos > targetNanos) {
            moveTo(targetNanos);
            return null;
        }
        moveTo(task.dueNanos);
        tasks.remove();
        return counted(task.action);
    }

    private void moveTo(long newNanos) {
        if (newNanos > nanos) {
            nanos = newNanos;
            taken = 0;
        }
    }

    private Runnable counted(Runnable action) {
        if (++taken > MOST_AT_ONE_MOMENT) {
            throw new IllegalStateException(MOST_AT_ONE_MOMENT + " tasks ran and the time has not moved");
        }
        return action;
    }

    synchronized void close() {
        closed = true;
        tasks.clear();
        callbacks.clear();
    }

    private record ScheduledTask(long dueNanos, long sequence, Runnable action) implements Comparable<ScheduledTask> {
        @Override
        public int compareTo(ScheduledTask other) {
            int byTime = Long.compare(dueNanos, other.dueNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}
