package dev.holdfast.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The only source of time, timers and randomness in Holdfast. Nothing else reads a clock, sleeps, starts a timer or
 * draws random numbers, so tests and the simulator control all of them.
 *
 * <p>Thread-safe.
 */
public interface HostEnvironment extends AutoCloseable {
    /** A monotonic ticker in nanoseconds, comparable only with itself. It may stop while the machine sleeps. */
    long nanos();

    /** The wall clock. It may jump. */
    Instant now();

    /**
     * Runs {@code task} after {@code delay}. Tasks are short and never block: one thread may run them all.
     *
     * @return a handle that cancels the task if it has not begun
     */
    Timer schedule(Duration delay, Runnable task);

    /**
     * Runs a user's callback where it may block without holding up timers or I/O. Callbacks are started in order, but
     * several may run at the same time.
     */
    void execute(Runnable callback);

    /**
     * Runs a user's task that may take as long as it likes, on a thread of its own. An environment without threads runs
     * it like a callback, and cannot interrupt it; there the task must not wait for anything.
     *
     * @param name of the thread, for people
     */
    default Task start(String name, Runnable task) {
        execute(task);
        return () -> {};
    }

    /**
     * Runs a user's callback that may block for long, concurrently with others and in no order. By default, and in an
     * environment without its own threads, it runs like any other callback.
     */
    default void executeBlocking(Runnable callback) {
        execute(callback);
    }

    /** A unique id that cannot be guessed. */
    UUID randomId();

    /** At least 0.0, less than 1.0: for jitter. */
    double random();

    /**
     * Waits until {@code future} is done, without a time limit. An environment without its own threads runs the due
     * tasks here, on the waiting thread.
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
