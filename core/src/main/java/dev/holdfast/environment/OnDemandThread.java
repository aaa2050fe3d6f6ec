package dev.holdfast.environment;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Daemon thread that runs while it is needed. It starts with the first need. It ends some time after the last one, so
 * that occasional needs do not pay for a new thread and connection each time.
 *
 * <p>It runs in real time, not in the time of {@link dev.holdfast.store.HostEnvironment}. It is for stores that wait for
 * other processes.
 */
public final class OnDemandThread implements AutoCloseable {
    private final String name;
    private final long lingerNanos;
    private final BooleanSupplier isNeeded;
    private final Runnable work;
    private @Nullable Thread thread;
    private volatile boolean closed;
    /** Only the thread accesses it. */
    private long lastNeedNanos;

    /**
     * @param linger how long the thread stays after the last need
     * @param work repeats until {@link #continues} is false, and must not throw; it runs again if there is a new need
     */
    public OnDemandThread(String name, Duration linger, BooleanSupplier isNeeded, Runnable work) {
        this.name = name;
        this.lingerNanos = TimeUnit.NANOSECONDS.convert(linger);
        this.isNeeded = isNeeded;
        this.work = work;
    }

    /** Starts the thread unless it runs. To be called after each new need. */
    public synchronized void start() {
        if (thread == null && !closed) {
            Thread started = new Thread(this::run, name);
            started.setDaemon(true);
            // If the system cannot start another thread, this throws, and the next need tries again.
            started.start();
            thread = started;
        }
    }

    public synchronized boolean isRunning() {
        return thread != null;
    }

    private void run() {
        do {
            lastNeedNanos = System.nanoTime();
            work.run();
        } while (!isOver());
    }

    /** Returns whether the thread may end. The next need then starts a new one. */
    private synchronized boolean isOver() {
        if (!closed && isNeeded.getAsBoolean()) {
            return false;
        }
        thread = null;
        return true;
    }

    /** Returns, to the work, whether to go on. */
    public boolean continues() {
        long now = System.nanoTime();
        if (isNeeded.getAsBoolean()) {
            lastNeedNanos = now;
        }
        return !closed && now - lastNeedNanos <= lingerNanos;
    }

    /** Pauses the work, unless the thread is closed. */
    public void pause(long nanos) {
        if (!closed) {
            LockSupport.parkNanos(this, nanos);
            // A callback may have left an interrupt behind, which would make every later pause return immediately.
            Thread.interrupted();
        }
    }

    /** Lets the thread end as soon as its work notices. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(current());
    }

    /** Closes it, and waits for the thread to end. */
    public void close(Duration timeout) {
        close();
        Thread ending = current();
        if (ending != null && ending != Thread.currentThread()) {
            try {
                ending.join(timeout.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized @Nullable Thread current() {
        return thread;
    }
}
