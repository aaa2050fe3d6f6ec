package dev.holdfast.cli.child;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The first signal that asked this process to stop. Work that ends after it may have been cut short, whatever its exit code. */
final class StopRequest {
    static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    /**
     * How long after the end of a command a stop signal may still arrive here. A signal to the whole process group reaches
     * the command and this process at the same time, and the JVM takes a few thread switches longer to deliver it.
     */
    static final Duration SETTLING = Duration.ofMillis(100);

    private static final int NONE = 0;

    private final CompletableFuture<Integer> first = new CompletableFuture<>();

    /** Notes a signal; false if it was not the first. */
    boolean hear(int number) {
        return first.complete(number);
    }

    boolean isHeard() {
        return first.isDone();
    }

    /** The number of the signal; 0 if there was none. */
    int number() {
        return first.getNow(NONE);
    }

    /** The number of the signal; waits a moment for one that was sent already. 0 if there was none. */
    int settledNumber() throws InterruptedException {
        try {
            return first.get(SETTLING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return number();
        }
    }

    /** Calls {@code action} once, on some thread, when a signal is heard, or was. */
    void onHeard(Runnable action) {
        CompletableFuture<Void> unused = first.thenRun(action);
    }
}
