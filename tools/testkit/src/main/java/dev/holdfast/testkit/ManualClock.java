package dev.holdfast.testkit;

import dev.holdfast.store.HostEnvironment;
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
 * A runtime whose time moves only when a test says so.
 *
 * <p>Timers and callbacks run inside {@link #advance}, one after another, on the thread that called it: timers in the
 * order in which they are due, with the time standing at each one's due time while it runs; callbacks in the order in
 * which they came, each after the task that caused it. {@code advance(Duration.ZERO)} runs what is due now. What they
 * throw does not stop the others; {@code advance} throws it in the end.
 *
 * <p>Ticker and wall clock move together, except in {@link #jumpWall} and {@link #sleep}. Ids and dice come from a seed:
 * the same seed gives the same test, if it uses one thread. Runtimes whose clients share a store need different seeds, as
 * they would draw the same ids otherwise.
 *
 * <p>It has no threads, except those of {@link #start}. On a store that has none either (the memory store), a test is a sequence: call, advance, look.
 * {@code advance} does not wait for the threads of other stores.
 *
 * <p>Thread-safe. Calls of {@code advance} on several threads follow one another, so that time moves by their sum.
 */
public final class ManualClock implements HostEnvironment {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** A wait looks again this often whether it can run what is due: whoever was running it may have stopped. */
    private static final Duration GLANCE = Duration.ofMillis(20);

    private final TaskAgenda taskAgenda = new TaskAgenda();
    /** Held by the thread that runs tasks. Taken before the agenda's own lock, never while holding that. */
    private final ReentrantLock turn = new ReentrantLock();

    private final Random random;
    private final Duration patience;
    private final List<Throwable> failures = new ArrayList<>();
    private Duration wallOffset = Duration.ZERO;

    public ManualClock() {
        this(0);
    }

    /** @param seed of the ids and dice */
    public ManualClock(long seed) {
        this(seed, PATIENCE);
    }

    /** @param patience how long, in real time, {@link #await} waits for another thread, or process, before it fails */
    public ManualClock(long seed, Duration patience) {
        this.random = new Random(seed);
        this.patience = patience;
    }

    /**
     * Moves both clocks by {@code time}, and runs all that becomes due on the way, what is scheduled meanwhile included.
     *
     * @throws IllegalStateException if called by a task or callback that {@code advance} runs; or if tasks go on
     *     scheduling tasks without any delay, so that time could never move
     */
    public void advance(Duration time) {
        requireNotNegative(time);
        if (turn.isHeldByCurrentThread()) {
            throw new IllegalStateException("advance() inside a task or callback that advance() runs");
        }
        turn.lock();
        try {
            runUntil(taskAgenda.nanos() + TaskAgenda.capped(time));
        } finally {
            turn.unlock();
        }
        throwFailures();
    }

    /** Makes the wall clock jump, forward or back. The ticker stands, and nothing runs. */
    public synchronized void jumpWall(Duration by) {
        wallOffset = wallOffset.plus(by);
    }

    /**
     * Suspends the machine: the wall clock goes on, the ticker stands, and nothing runs, as the ticker has not reached
     * it.
     */
    public void sleep(Duration time) {
        requireNotNegative(time);
        jumpWall(time);
    }

    private void runUntil(long targetNanos) {
        for (Runnable next = taskAgenda.next(targetNanos); next != null; next = taskAgenda.next(targetNanos)) {
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
        return taskAgenda.nanos();
    }

    @Override
    public synchronized Instant now() {
        return START.plusNanos(taskAgenda.nanos()).plus(wallOffset);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return taskAgenda.schedule(delay, task);
    }

    /** Runs {@code callback} after the task under way; if none is, in the next {@link #advance} or {@link #await}. */
    @Override
    public void execute(Runnable callback) {
        taskAgenda.execute(callback);
    }

    /** Starts {@code task} on a thread, as it may block: wait for what it does, in real time. */
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
     * Runs what is due now, and waits for other threads to do the rest, such as to advance the time. This wait is in real
     * time, and bounded, as in a test with one thread nobody would ever end it.
     *
     * <p>What due tasks throw here, the next {@link #advance} or {@link #close} throws.
     *
     * @throws IllegalStateException if {@code future} is not done after 10 seconds, or what the constructor was told
     */
    @Override
    public void await(CompletableFuture<?> future) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (!future.isDone()) {
            runDue();
            if (!isDoneAfter(GLANCE, future) && System.nanoTime() - startNanos >= patience.toNanos()) {
                throw new IllegalStateException("waited " + patience + " for an answer while the manual time stood"
                        + " still: use the asynchronous form and advance(), or advance() on another thread");
            }
        }
    }

    private void runDue() {
        // A task that waits must not run others meanwhile: they would seem to run before it is over.
        if (!turn.isHeldByCurrentThread() && turn.tryLock()) {
            try {
                runUntil(taskAgenda.nanos());
            } finally {
                turn.unlock();
            }
        }
    }

    private static boolean isDoneAfter(Duration wait, CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException | CancellationException e) {
            return true; // Whoever waits looks at the future itself.
        }
        return true;
    }

    /** Forgets timers and callbacks, and takes no more. Throws what callbacks threw and {@link #advance} has not. */
    @Override
    public void close() {
        taskAgenda.close();
        throwFailures();
    }

    private static void requireNotNegative(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time: " + time + " (expected: >= PT0S)");
        }
    }
}
