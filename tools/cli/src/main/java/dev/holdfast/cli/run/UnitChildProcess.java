package dev.holdfast.cli.run;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Command of one unit, and all processes that it started. */
final class UnitChildProcess {
    /** Variable that identifies the processes of one unit: each start has a unique value. */
    private static final String MARK = "HOLDFAST_START";

    private final Process process;
    private final ProcessTree tree;
    private final ParentWatchdog watchdog;

    private UnitChildProcess(Process process, String mark, ParentWatchdog watchdog) {
        this.process = process;
        this.tree = new ProcessTree(process.toHandle(), mark);
        this.watchdog = watchdog;
        watchdog.watch(process.toHandle());
    }

    static UnitChildProcess start(List<String> command, Map<String, String> variables, Duration grace) {
        String id = UUID.randomUUID().toString();
        Map<String, String> all = new HashMap<>(variables);
        all.put(MARK, id);
        String mark = MARK + "=" + id;
        ParentWatchdog watchdog = ParentWatchdog.overMarked(mark, grace);
        boolean started = false;
        try {
            UnitChildProcess child = new UnitChildProcess(ChildProcess.startWithoutInput(command, all), mark, watchdog);
            started = true;
            return child;
        } finally {
            if (!started) {
                watchdog.dismiss();
            }
        }
    }

    /**
     * Calls {@code ended} with the exit code, on any thread, after the command has ended and late stop signals have
     * arrived.
     */
    void onExit(IntConsumer ended) {
        Executor later = CompletableFuture.delayedExecutor(StopRequest.SETTLING.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<Void> unused = process.onExit().thenAcceptAsync(it -> ended.accept(it.exitValue()), later);
    }

    /**
     * Terminates the command, unless it has already ended by itself.
     *
     * @return whether the command had already ended
     */
    boolean end(Duration grace) throws InterruptedException {
        boolean ended = !process.isAlive();
        if (!ended) {
            tree.end(grace);
        }
        stopWatching();
        return ended;
    }

    int exitCode() {
        return process.exitValue();
    }

    /** Stops the watchdog: there is nothing left to watch. */
    void stopWatching() {
        watchdog.dismiss();
    }
}
