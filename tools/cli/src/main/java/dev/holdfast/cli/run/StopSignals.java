package dev.holdfast.cli.run;

import dev.holdfast.cli.command.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Handler of stop signals for an orderly shutdown. A second signal ends the process immediately, and the watchdogs then
 * terminate its child processes.
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
        undo.add(SystemSignal.handle(name, () -> {
            if (!request.receive(number)) {
                Runtime.getRuntime().halt(ExitCode.SIGNAL_BASE + number);
            }
        }));
    }

    /**
     * Calls {@code stop} once, on any thread, with the number of the first stop signal, even if it has already arrived.
     */
    public void onStop(IntConsumer stop) {
        request.onReceived(() -> stop.accept(request.number()));
    }

    /** Whether the process has received a stop signal. */
    public boolean isHeard() {
        return request.isReceived();
    }

    @Override
    public void close() {
        undo.forEach(Runnable::run);
    }
}
