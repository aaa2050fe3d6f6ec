package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that waits in a blocking call. */
record WaitingThread(Thread thread, FutureTask<?> result) {
    private static final int LONGEST_START_MILLIS = 30_000;

    /** Makes the call on its own thread; returns once that thread waits. */
    static WaitingThread start(Callable<?> call) {
        FutureTask<?> result = new FutureTask<>(call);
        Thread thread = new Thread(result, "waits in a blocking call");
        thread.setDaemon(true);
        thread.start();
        // Without letting time pass: otherwise the wait could be over before a slow machine has begun it.
        for (int round = 0; round < LONGEST_START_MILLIS && !isWaiting(thread); round++) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(isWaiting(thread)).as("the thread waits").isTrue();
        return new WaitingThread(thread, result);
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    Throwable failure() {
        ExecutionException thrown =
                catchThrowableOfType(ExecutionException.class, () -> result.get(10, TimeUnit.SECONDS));
        assertThat(thrown).as("the failure that ended the wait").isNotNull();
        return Objects.requireNonNull(thrown.getCause());
    }
}
