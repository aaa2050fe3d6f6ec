package dev.holdfast.internal.pipeline;

import dev.holdfast.internal.CallbackThread;
import dev.holdfast.internal.ClientClosedException;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** What waits for its next attempt. Closing ends all of it: a timer of a closed client would never come. */
final class RetryTimers {
    private final HostEnvironment hostEnvironment;
    private final Set<Rest> resting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    RetryTimers(HostEnvironment hostEnvironment) {
        this.hostEnvironment = hostEnvironment;
    }

    /** Calls {@code resume} after {@code delay}, or {@code abort} when the client is closed before. */
    void rest(Duration delay, Runnable resume, Consumer<RuntimeException> abort) {
        Rest rest = new Rest(abort);
        resting.add(rest);
        hostEnvironment.schedule(delay, () -> {
            if (resting.remove(rest)) {
                resume.run();
            }
        });
        if (closed) {
            abort(rest);
        }
    }

    void close() {
        closed = true;
        resting.forEach(this::abort);
    }

    private void abort(Rest rest) {
        if (resting.remove(rest)) {
            CallbackThread.run(() -> rest.abort.accept(ClientClosedException.underWay()));
        }
    }

    /** Not a record: two rests are never the same. */
    private static final class Rest {
        private final Consumer<RuntimeException> abort;

        Rest(Consumer<RuntimeException> abort) {
            this.abort = abort;
        }
    }
}
