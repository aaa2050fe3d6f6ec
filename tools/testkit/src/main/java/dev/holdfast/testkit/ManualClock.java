package dev.holdfast.testkit;

import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A host environment with a clock that moves only when a test advances it.
 *
 * <p>Timers and callbacks run inside {@link #advance}, one after another, on the calling thread. Timers run in the
 * order in which they are due, and the clock shows the due time of each while it runs. Callbacks run in the order in
 * which they were submitted, each after the task that caused it. {@code advance(Duration.ZERO)} runs the tasks that are
 * due now. If one throws, the others still run; {@code advance} throws the exception at its end.
 *
 * <p>Ticker and wall clock move together, except in {@link #jumpWall} and {@link #sleep}. Ids and random numbers come
 * from a seed: with one thread, the same seed gives the same test. Environments of clients that share a store need
 * different seeds, or they draw the same ids.
 *
 * <p>It has no threads, except those of {@link #start}. With a store that has none either (the memory store), a test is
 * a sequence: call, advance, assert. {@code advance} does not wait for the threads of other stores.
 *
 * <p>Thread-safe. Concurrent calls of {@code advance} run one after another, so the time moves by their sum.
 */
public final class ManualClock implements HostEnvironment {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** How often a wait retries to run due tasks: the thread that was running them may have stopped. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final TaskAgenda agenda = new TaskAgenda();
    /** Held by the thread that runs tasks. Locked before the agenda's own lock, never while holding that one. */
    private final ReentrantLock runLock = new ReentrantLock();

    private final Random random;
    private final Duration patience;
    private final List<Throwable> failures = new ArrayList<>();
    private Duration wallOffset = Duration.ZERO;

    public ManualClock() {
        this(0);
    }

    /** @param seed of the ids and random numbers */
    public ManualClock(long seed) {
        this(seed, PATIENCE);
    }

    /** @param patience how long, in real time, {@link #await} waits for another thread or process before it fails */
    public ManualClock(long seed, Duration patience) {
        this.random = new Random(seed);
        this.patience = patience;
    }

    /**
     * Moves both clocks by {@code time}, and runs all tasks that become due on the way, including newly scheduled ones.
     *
     * @throws IllegalStateException if called by a task or callback that {@code advance} runs, or if tasks keep
     *     scheduling tasks without delay, so that time could never move
     */
    public void advance(Duration time) {
        requireNotNegative(time);
        if (runLock.isHeldByCurrentThread()) {
            throw new IllegalStateException("advance() inside a task or callback that advance() runs");
        }
        runLock.lock();
        try {
            runUntil(agenda.nanos() + ArgumentCheck.cappedNanos(time));
        } finally {
            runLock.unlock();
        }
        throwFailures();
    }

    /** Makes the wall clock jump, forward or back. The ticker does not move, and no task runs. */
    public synchronized void jumpWall(Duration by) {
        wallOffset = wallOffset.plus(by);
    }

    /**
     * Suspends the machine: the wall clock moves and the ticker does not. No task runs, because the ticker has not
     * reached its due time.
     */
    public void sleep(Duration time) {
        requireNotNegative(time);
        jumpWall(time);
    }

    private void runUntil(long targetNanos) {
        for (Runnable next = agenda.next(targetNanos); next != null; next = agenda.next(targetNanos)) {
            run(next);
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                failures.add(e);
            }
        }
    }

    private void throwFailures() {
        List<Throwable> all;
        synchronized (this) {
            all = List.copyOf(failures);
            failures.clear();
        }
        if (all.isEmpty()) {
            return;
        }
        Throwable first = all.get(0);
        all.stream().filter(other -> other != first).forEach(first::addSuppressed);
        if (first instanceof RuntimeException exception) {
            throw exception;
        }
        throw (Error) first;
    }

    @Override
    public long nanos() {
        return agenda.nanos();
    }

    @Override
    public synchronized Instant now() {
        return START.plusNanos(agenda.nanos()).plus(wallOffset);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return agenda.schedule(delay, task);
    }

    /**
     * Runs {@code callback} after the current task; if there is none, in the next {@link #advance} or {@link #await}.
     */
    @Override
    public void execute(Runnable callback) {
        agenda.execute(callback);
    }

    /** Starts {@code task} on a thread, because it may block. Tests wait for its effects in real time. */
    @Override
    public Task start(String name, Runnable task) {
        Thread thread = new Thread(() -> run(task), name);
        thread.setDaemon(true);
        thread.start();
        return thread::interrupt;
    }

    @Override
    public UUID randomId() {
        synchronized (random) {
            return new UUID(random.nextLong(), random.nextLong());
        }
    }

    @Override
    public double random() {
        synchronized (random) {
            return random.nextDouble();
        }
    }

    /**
     * Runs the tasks that are due now, then waits for other threads, for example one that advances the time. The wait
     * is in real time and bounded, because in a test with one thread it would never end.
     *
     * <p>Exceptions that due tasks throw here are thrown by the next {@link #advance} or {@link #close}.
     *
     * @throws IllegalStateException if {@code future} is not done after 10 seconds, or after the constructor's
     *     {@code patience}
     */
    @Override
    public void await(CompletableFuture<?> future) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (!future.isDone()) {
            runDue();
            if (!isDoneAfter(POLL_INTERVAL, future) && System.nanoTime() - startNanos >= patience.toNanos()) {
                throw new IllegalStateException("waited " + patience + " for a result while the manual time stood"
                        + " still: use the asynchronous form and advance(), or advance() on another thread");
            }
        }
    }

    private void runDue() {
        // A waiting task must not run other tasks: they would run before it has ended.
        if (!runLock.isHeldByCurrentThread() && runLock.tryLock()) {
            try {
                runUntil(agenda.nanos());
            } finally {
                runLock.unlock();
            }
        }
    }

    private static boolean isDoneAfter(Duration wait, CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException | CancellationException e) {
            return true; // The caller reads the failure from the future itself.
        }
        return true;
    }

    /** Discards timers and callbacks, and accepts no more. Throws failures that {@link #advance} has not thrown yet. */
    @Override
    public void close() {
        agenda.close();
        throwFailures();
    }

    private static void requireNotNegative(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time: " + time + " (expected: >= PT0S)");
        }
    }
}
