package dev.holdfast.cli.child;

import dev.holdfast.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Hears that the process is to end, so that it can end in good order. Told twice, it ends at once: then the watchdogs end
 * what it has started.
 */
public final class StopSignals implements AutoCloseable {
    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    private final List<Runnable> undo = new ArrayList<>();
    private final CompletableFuture<Integer> told = new CompletableFuture<>();

    private StopSignals() {}

    public static StopSignals caught() {
        StopSignals signals = new StopSignals();
        NUMBERS.forEach(signals::install);
        return signals;
    }

    private void install(String name, int number) {
        Runnable restore = SystemSignal.handle(name, () -> {
            if (!told.complete(number)) {
                Runtime.getRuntime().halt(ExitCode.SIGNAL_BASE + number);
            }
        });
        if (restore != null) {
            undo.add(restore);
        }
    }

    /** Calls {@code stop} once, on some thread, when the process is told to end, or was. */
    public void onStop(Runnable stop) {
        CompletableFuture<Void> unused = told.thenRun(stop);
    }

    @Override
    public void close() {
        undo.forEach(Runnable::run);
    }
}
