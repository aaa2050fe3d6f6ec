package dev.holdfast.fleet.internal.units;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs tasks one after another, on the threads of those who bring them: who comes while one is running leaves its task
 * and goes. So what is touched only here needs no lock, and nothing is ever called with one held. Tasks never block.
 */
public final class SerialExecutor {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Consumer<Throwable> onFailure;

    /** @param onFailure told what a task threw; the others run all the same */
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
            // An Error too: else all that comes later would be left in the queue for ever.
            onFailure.accept(e);
        }
    }
}
