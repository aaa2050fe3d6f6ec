package dev.holdfast.fleet.internal.execution;

import dev.holdfast.fleet.FleetListener;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a worker. It runs the steps of the worker one after another: timers, answers of the store, and calls of
 * the user. It also reports events to the listener.
 *
 * <p>It marks the threads that run steps and callbacks. Such a thread must not wait until the worker is closed, because
 * it would wait for itself.
 */
public final class WorkerStepLoop {
    private static final Logger log = LoggerFactory.getLogger(dev.holdfast.fleet.Fleet.class);

    private final HostEnvironment hostEnvironment;
    private final FleetListener listener;
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unfinishedSteps = new AtomicInteger();
    private final ThreadLocal<Boolean> inside = new ThreadLocal<>();
    private final List<Runnable> atStepEnd = new ArrayList<>();

    /** When the current step began; undefined if no step is running. */
    private volatile long stepNanos;

    private volatile boolean inStep;

    public WorkerStepLoop(HostEnvironment hostEnvironment, FleetListener listener) {
        this.hostEnvironment = hostEnvironment;
        this.listener = listener;
    }

    /** Adds a task that runs at the end of every step. Called before the first step. */
    public void atStepEnd(Runnable task) {
        atStepEnd.add(task);
    }

    /**
     * Runs {@code task} as a step, on this thread. While another step is running, {@code task} is queued, and this
     * method returns. State accessed only by steps needs no lock, and no code is ever called with a lock held. Steps
     * never block.
     */
    public void run(Runnable task) {
        steps.add(task);
        if (unfinishedSteps.getAndIncrement() == 0) {
            do {
                runStep(steps.remove());
            } while (unfinishedSteps.decrementAndGet() != 0);
        }
    }

    private void runStep(Runnable task) {
        stepNanos = nanos();
        inStep = true;
        try {
            runMarked(() -> {
                try {
                    task.run();
                } finally {
                    atStepEnd.forEach(Runnable::run);
                }
            });
        } catch (Throwable e) {
            // An Error too: otherwise all later steps would stay in the queue forever.
            log.error("a step of a fleet failed; this is a bug in Holdfast", e);
        } finally {
            inStep = false;
        }
    }

    /**
     * Makes a call and runs {@code then} as a step with its result or its failure. An exception thrown by the call
     * itself, for example by a closed client, is a failure too.
     */
    public <T> void call(
            Supplier<? extends CompletionStage<T>> call, BiConsumer<@Nullable T, @Nullable Throwable> then) {
        CompletableFuture<T> unused = begin(call, then);
    }

    /** Same as {@link #call}; cancelling the returned future cancels the call. */
    public <T> CompletableFuture<T> begin(
            Supplier<? extends CompletionStage<T>> call, BiConsumer<@Nullable T, @Nullable Throwable> then) {
        CompletableFuture<T> calling = Futures.contain(() -> call.get().toCompletableFuture());
        Futures.whenDone(
                calling,
                (result, error) -> run(() -> then.accept(result, error == null ? null : Futures.cause(error))));
        return calling;
    }

    public HostEnvironment.Timer schedule(Duration delay, Runnable task) {
        return hostEnvironment.schedule(delay, () -> run(task));
    }

    public long nanos() {
        return hostEnvironment.nanos();
    }

    /** Runs a part of a step or a callback, and marks the thread meanwhile. */
    public void runMarked(Runnable task) {
        boolean outermost = inside.get() == null;
        inside.set(true);
        try {
            task.run();
        } finally {
            if (outermost) {
                inside.remove();
            }
        }
    }

    /** Returns whether the current thread runs a step or a callback of the worker. */
    public boolean isInside() {
        return inside.get() != null;
    }

    /** Returns how long the current step has been running; zero if none is. Any thread may ask. */
    public Duration busy() {
        boolean stepping = inStep; // Read first: the time read afterwards belongs to that step or a later one.
        long busyNanos = nanos() - stepNanos;
        return stepping ? Duration.ofNanos(busyNanos) : Duration.ZERO;
    }

    /** Calls the listener. Also called outside steps: a planner's rounds run on the threads of the store. */
    public void notifyListener(Consumer<FleetListener> event) {
        try {
            runMarked(() -> event.accept(listener));
        } catch (Throwable e) {
            log.warn("a listener failed", e);
        }
    }

    /** Reports an operation that failed and will be retried. */
    public void reportTrouble(String operation, @Nullable Throwable cause) {
        Throwable known = cause == null ? new IllegalStateException(operation) : cause;
        log.debug("{} failed and will be retried", operation, known);
        notifyListener(listener -> listener.onTrouble(operation, known));
    }
}
