package dev.holdfast.internal.pipeline;

import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.ClientClosedException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The requests that wait for their next attempt. Closing aborts all of them: the timers of a closed client never fire.
 */
final class RetryTimers {
    private final HostEnvironment hostEnvironment;
    private final Set<Pause> pending = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    RetryTimers(HostEnvironment hostEnvironment) {
        this.hostEnvironment = hostEnvironment;
    }

    /** Calls {@code resume} after {@code delay}, or {@code abort} if the client is closed before that. */
    void pause(Duration delay, Runnable resume, Consumer<RuntimeException> abort) {
        Pause pause = new Pause(abort);
        pending.add(pause);
        hostEnvironment.schedule(delay, () -> {
            if (pending.remove(pause)) {
                resume.run();
            }
        });
        if (closed) {
            abort(pause);
        }
    }

    void close() {
        closed = true;
        pending.forEach(this::abort);
    }

    private void abort(Pause pause) {
        if (pending.remove(pause)) {
            CallbackThread.run(() -> pause.abort.accept(ClientClosedException.underWay()));
        }
    }

    /** Not a record: two pauses are never equal. */
    private static final class Pause {
        private final Consumer<RuntimeException> abort;

        Pause(Consumer<RuntimeException> abort) {
            this.abort = abort;
        }
    }
}
