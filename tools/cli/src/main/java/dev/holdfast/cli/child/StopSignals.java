package dev.holdfast.cli.child;

import dev.holdfast.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Hears that the process is to end, so that it can end in good order. Told twice, it ends at once: then the watchdogs end
 * what it has started.
 */
public final class StopSignals implements AutoCloseable {
    private final List<Runnable> undo = new ArrayList<>();
    private final StopRequest request = new StopRequest();

    private StopSignals() {}

    public static StopSignals caught() {
        StopSignals signals = new StopSignals();
        StopRequest.SIGNALS.forEach(signals::install);
        return signals;
    }

    private void install(String name, int number) {
        Runnable restore = SystemSignal.handle(name, () -> {
            if (!request.hear(number)) {
                Runtime.getRuntime().halt(ExitCode.SIGNAL_BASE + number);
            }
        });
        if (restore != null) {
            undo.add(restore);
        }
    }

    /** Calls {@code stop} once, on some thread, with the number of the signal that asks the process to end, or did. */
    public void onStop(IntConsumer stop) {
        request.onHeard(() -> stop.accept(request.number()));
    }

    /** Whether the process was told to end. */
    public boolean isHeard() {
        return request.isHeard();
    }

    @Override
    public void close() {
        undo.forEach(Runnable::run);
    }
}
