package dev.holdfast.support;

import java.util.ArrayDeque;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mark of a thread that is completing futures for callers. A blocking call made there, from a callback of an
 * asynchronous one, would wait for itself. So it is rejected, with a message that names the alternatives.
 */
public final class CallbackThread {
    private static final Logger log = LoggerFactory.getLogger(CallbackThread.class);

    /** Each thread keeps its scope: a new one for each call showed up in profiles. */
    private static final ThreadLocal<Scope> SCOPE = ThreadLocal.withInitial(Scope::new);

    private static final class Scope {
        int depth;
        final Queue<Runnable> afterwards = new ArrayDeque<>();
    }

    private CallbackThread() {}

    /** Runs {@code work}, which completes futures that have callbacks. */
    public static void run(Runnable work) {
        Scope scope = SCOPE.get();
        scope.depth++;
        try {
            work.run();
        } finally {
            scope.depth--;
            if (scope.depth == 0) {
                runAll(scope.afterwards);
            }
        }
    }

    /**
     * Runs {@code task} when this thread has completed all futures that it is completing; immediately, if it completes none.
     * So one task can follow up on a whole batch of answers.
     */
    public static void afterwards(Runnable task) {
        Scope scope = SCOPE.get();
        if (scope.depth > 0) {
            scope.afterwards.add(task);
        } else {
            task.run();
        }
    }

    @SuppressWarnings("IllegalCatch") // Otherwise the other tasks would not run.
    private static void runAll(Queue<Runnable> tasks) {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (Throwable e) {
                log.error("a task after callbacks failed; this is a bug in Holdfast", e);
            }
        }
    }

    /** Whether this thread is completing futures for callers. */
    public static boolean isUnderWay() {
        return SCOPE.get().depth > 0;
    }

    /** @throws IllegalStateException if this thread is completing futures for callers */
    public static void refuseBlocking() {
        if (isUnderWay()) {
            throw new IllegalStateException("a blocking call inside a callback of an asynchronous one would wait for"
                    + " itself: use the asynchronous form, or continue with thenApplyAsync and the like");
        }
    }
}
