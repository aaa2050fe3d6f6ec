package dev.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A thread of a test, and its result. */
public final class LockThread<T> {
    private static final long PATIENCE_SECONDS = 60;

    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Thread thread;

    private LockThread(Callable<T> work) {
        thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    public static <T> LockThread<T> start(Callable<T> work) {
        return new LockThread<>(work);
    }

    /** Runs work on another thread, and returns its result. */
    public static boolean call(Callable<Boolean> work) throws Exception {
        return start(work).join();
    }

    public Thread thread() {
        return thread;
    }

    public boolean isDone() {
        return result.isDone();
    }

    /** The result; throws the exception that the work threw. */
    public T join() throws Exception {
        try {
            return result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Waits until the thread blocks. */
    public LockThread<T> awaitBlocked() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!isBlocked()) {
            assertThat(System.nanoTime()).as("the thread does not block").isLessThan(deadlineNanos);
            Thread.sleep(5);
        }
        return this;
    }

    private boolean isBlocked() {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }
}
