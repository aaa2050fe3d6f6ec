package dev.holdfast.environment;

import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The environment of production: the clocks of the machine, one daemon thread for timers, some for callbacks, and a
 * pool for callbacks that may block for long. Threads are started when they are first needed.
 */
public final class SystemEnvironment implements HostEnvironment {
    private static final Logger log = LoggerFactory.getLogger(SystemEnvironment.class);

    /** Concurrent callbacks. They are rare and short; this many may block before others have to wait. */
    private static final int CALLBACK_THREADS = 16;

    private final ScheduledThreadPoolExecutor timers =
            new ScheduledThreadPoolExecutor(1, task -> daemon(task, "holdfast-timer"));
    private final ThreadPoolExecutor callbacks = new ThreadPoolExecutor(
            CALLBACK_THREADS,
            CALLBACK_THREADS,
            10,
            TimeUnit.SECONDS,
            // Without a bound, as every loss must be reported; a lease has at most one entry here at a time.
            new LinkedBlockingQueue<>(),
            task -> daemon(task, "holdfast-callbacks"));

    private final BlockingPool blocking = new BlockingPool();

    public SystemEnvironment() {
        timers.setRemoveOnCancelPolicy(true);
        callbacks.allowCoreThreadTimeOut(true);
    }

    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> timer =
                    timers.schedule(() -> guarded(task), ArgumentCheck.cappedNanos(delay), TimeUnit.NANOSECONDS);
            return () -> timer.cancel(false);
        } catch (RejectedExecutionException e) {
            // The environment is closed, so the task never runs.
            return () -> {};
        }
    }

    @Override
    public void execute(Runnable callback) {
        try {
            callbacks.execute(() -> guarded(callback));
        } catch (RejectedExecutionException e) {
            log.debug("a callback came after the client was closed", e);
        }
    }

    @Override
    public Task start(String name, Runnable task) {
        Thread thread = daemon(() -> guarded(task), name);
        thread.start();
        return thread::interrupt;
    }

    @Override
    public void executeBlocking(Runnable callback) {
        try {
            blocking.execute(() -> guarded(callback));
        } catch (RejectedExecutionException e) {
            log.debug("a callback came after the client was closed", e);
        }
    }

    /** An exception of a task, even an {@link Error}, must not end the thread that all tasks need. */
    static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            log.error("a callback failed", e);
        }
    }

    @Override
    public UUID randomId() {
        return RandomIds.id();
    }

    @Override
    public double random() {
        return ThreadLocalRandom.current().nextDouble();
    }

    @Override
    public void await(CompletableFuture<?> future) throws InterruptedException {
        waitFor(future);
    }

    static void waitFor(CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get();
        } catch (ExecutionException | CancellationException e) {
            // The caller reads the result from the future itself.
        }
    }

    @Override
    public void close() {
        timers.shutdownNow();
        callbacks.shutdown();
        blocking.close();
    }
}
