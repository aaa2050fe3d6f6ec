package dev.holdfast.fleet.internal.execution;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * An executor that runs tasks one after another, on the threads that submit them. Tasks submitted while one is running
 * are queued, and the submitting thread returns. State accessed only by these tasks needs no lock, and no code is ever
 * called with a lock held. Tasks never block.
 */
public final class SerialExecutor {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Consumer<Throwable> onFailure;

    /** @param onFailure receives the exceptions that tasks throw; the other tasks still run */
    public SerialExecutor(Consumer<Throwable> onFailure) {
        this.onFailure = onFailure;
    }

    public void run(Runnable task) {
        tasks.add(task);
        if (waiting.getAndIncrement() == 0) {
            do {
                runOne(tasks.remove());
            } while (waiting.decrementAndGet() != 0);
        }
    }

    private void runOne(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            // An Error too: otherwise all later tasks would stay in the queue forever.
            onFailure.accept(e);
        }
    }
}
