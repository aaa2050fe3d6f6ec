package dev.holdfast.environment;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads for callbacks that may block: a virtual thread for each where the JVM has them (21 and newer), else
 * daemon threads that end when they are idle. No thread is started before it is needed.
 */
final class BlockingPool implements Executor {
    /** Platform threads, where the JVM has no virtual ones: more than any machine runs at once, and still cheap to keep. */
    private static final int THREADS_MAX = 256;

    private static final long IDLE_SECONDS = 10;

    private @Nullable ExecutorService threads;
    private boolean closed;

    @Override
    public void execute(Runnable task) {
        threads().execute(task);
    }

    private synchronized ExecutorService threads() {
        if (closed) {
            throw new RejectedExecutionException("closed");
        }
        if (threads == null) {
            threads = virtualThreads();
        }
        if (threads == null) {
            threads = platformThreads();
        }
        return threads;
    }

    /**
     * Found by reflection, as this is compiled for a JDK without them; null if the JVM has none, or only as a preview.
     */
    private static @Nullable ExecutorService virtualThreads() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return null;
        }
    }

    /** The queue needs no bound: a caller has no more callbacks under way than it has leases or units. */
    private static ExecutorService platformThreads() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS_MAX,
                THREADS_MAX,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> SystemEnvironment.daemon(task, "holdfast-blocking-callbacks"));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Accepts no more callbacks. Callbacks accepted before run to their end. */
    synchronized void close() {
        closed = true;
        if (threads != null) {
            threads.shutdown();
        }
    }
}
