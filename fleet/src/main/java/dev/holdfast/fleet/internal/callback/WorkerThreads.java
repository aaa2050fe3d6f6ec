package dev.holdfast.fleet.internal.callback;

/**
 * A marker for the threads that run the steps and callbacks of one worker. Such a thread must not wait until the worker
 * is closed, because it would wait for itself.
 */
public final class WorkerThreads {
    private final ThreadLocal<Boolean> inside = new ThreadLocal<>();

    public void run(Runnable task) {
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
    public boolean isEntered() {
        return inside.get() != null;
    }
}
