package dev.holdfast.cli.run;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** First stop signal that this process received. Work that ends after it may be incomplete, whatever its exit code. */
final class StopRequest {
    static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    /**
     * How long after the end of a command a stop signal may still arrive. A signal to the whole process group reaches
     * the command and this process at the same time, and the JVM needs a few thread switches more to deliver it.
     */
    static final Duration SETTLING = Duration.ofMillis(100);

    private static final int NONE = 0;

    private final CompletableFuture<Integer> first = new CompletableFuture<>();

    /** Records a signal; returns false if it was not the first. */
    boolean receive(int number) {
        return first.complete(number);
    }

    boolean isReceived() {
        return first.isDone();
    }

    /** The number of the signal; 0 without a signal. */
    int number() {
        return first.getNow(NONE);
    }

    /** The number of the signal; 0 without a signal. Waits {@link #SETTLING} for a signal that was already sent. */
    int settledNumber() throws InterruptedException {
        try {
            return first.get(SETTLING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return number();
        }
    }

    /** Calls {@code action} once, on any thread, when the signal arrives, or now if it has arrived. */
    void onReceived(Runnable action) {
        CompletableFuture<Void> unused = first.thenRun(action);
    }
}
