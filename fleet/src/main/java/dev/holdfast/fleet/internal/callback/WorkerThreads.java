package dev.holdfast.fleet.internal.callback;

/**
 * Marks the threads that run the steps and callbacks of one worker. Waiting there until the worker is closed would be
 * waiting for the waiting thread itself.
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

    /** Whether this thread runs a step or a callback of the worker. */
    public boolean isEntered() {
        return inside.get() != null;
    }
}
