package dev.holdfast.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The one seam through which time, timers and chance reach Holdfast. Nothing else reads a clock, sleeps, starts a timer
 * or rolls dice, so tests and the simulator decide all of them.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("JavaLangClash") // The word of the design; nobody imports both.
public interface HostEnvironment extends AutoCloseable {
    /** A monotonic ticker in nanoseconds, comparable only with itself. It may stop while the machine sleeps. */
    long nanos();

    /** The wall clock. It may jump. */
    Instant now();

    /**
     * Runs {@code task} after {@code delay}. Tasks are short and never block: one thread may run them all.
     *
     * @return cancels the task if it has not begun
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Runs a user's callback where it may block without holding up timers or I/O. Callbacks are started in order, but
     * several may run at the same time.
     */
    void execute(Runnable callback);

    /**
     * Runs a user's task that may take as long as it likes, on a thread of its own. A runtime without threads runs it like
     * a callback, and cannot interrupt it; there the task must not wait for anything.
     *
     * @param name of the thread, for people
     */
    default Task start(String name, Runnable task) {
        execute(task);
        return () -> {};
    }

    /**
     * Runs a user's callback that may block for long, beside others and in no order. A runtime without threads of its own
     * runs it like any other callback; so it does by default.
     */
    default void executeBlocking(Runnable callback) {
        execute(callback);
    }

    /** An id that nobody else draws and nobody can guess. */
    UUID randomId();

    /** At least 0.0, less than 1.0: for jitter. */
    double random();

    /**
     * Waits until {@code future} is done, for as long as it takes. A runtime without threads of its own runs what is
     * due here, on the waiting thread.
     */
    void await(CompletableFuture<?> future) throws InterruptedException;

    /** Stops timers and threads. Idempotent. */
    @Override
    void close();

    /** A task that was started. */
    interface Task {
        /** Interrupts it, if it has not ended. */
        void interrupt();
    }

    /** A task that was scheduled. */
    interface Timer {
        void cancel();
    }
}
