package dev.holdfast.server.accord;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;

/** Sends as fast as the other side reads, from a thread that may wait. Whoever does not read for long is cut off. */
final class Outflow<T> {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ServerCallStreamObserver<T> observer;

    /** Made on the thread of the call, before it returns. */
    Outflow(ServerCallStreamObserver<T> observer) {
        this.observer = observer;
        observer.setOnReadyHandler(this::wake);
        observer.setOnCancelHandler(this::wake);
    }

    private synchronized void wake() {
        notifyAll();
    }

    boolean isCancelled() {
        return observer.isCancelled();
    }

    /** False if nobody reads any more. */
    boolean send(T message) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        synchronized (this) {
            while (!observer.isReady() && !observer.isCancelled()) {
                long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
                if (leftMillis <= 0) {
                    throw Status.ABORTED
                            .withDescription("nothing was read for " + PATIENCE.toSeconds() + " seconds")
                            .asRuntimeException();
                }
                wait(leftMillis);
            }
        }
        if (observer.isCancelled()) {
            return false;
        }
        observer.onNext(message);
        return true;
    }

    void complete() {
        if (!observer.isCancelled()) {
            observer.onCompleted();
        }
    }

    void fail(StatusRuntimeException error) {
        if (!observer.isCancelled()) {
            observer.onError(error);
        }
    }
}
