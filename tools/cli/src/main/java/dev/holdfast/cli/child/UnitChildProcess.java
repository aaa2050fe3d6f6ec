package dev.holdfast.cli.child;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** The command of one unit, and all that came of it. */
final class UnitChildProcess {
    /** By this the processes of one unit are told from those of others: each start has a value of its own. */
    private static final String MARK = "HOLDFAST_START";

    private final Process process;
    private final ProcessTree tree;
    private final ParentWatchdog parentWatchdog;

    private UnitChildProcess(Process process, String mark, ParentWatchdog parentWatchdog) {
        this.process = process;
        this.tree = new ProcessTree(process.toHandle(), mark);
        this.parentWatchdog = parentWatchdog;
        parentWatchdog.watch(process.toHandle());
    }

    static UnitChildProcess start(List<String> command, Map<String, String> variables, Duration grace) {
        String id = UUID.randomUUID().toString();
        Map<String, String> all = new HashMap<>(variables);
        all.put(MARK, id);
        String mark = MARK + "=" + id;
        ParentWatchdog parentWatchdog = ParentWatchdog.overMarked(mark, grace);
        boolean started = false;
        try {
            UnitChildProcess child =
                    new UnitChildProcess(ChildProcess.startWithoutInput(command, all), mark, parentWatchdog);
            started = true;
            return child;
        } finally {
            if (!started) {
                parentWatchdog.dismiss();
            }
        }
    }

    /** Calls {@code ended} with the exit code, on some thread, when it has ended and stop signals have settled. */
    void onExit(IntConsumer ended) {
        Executor later = CompletableFuture.delayedExecutor(StopRequest.SETTLING.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<Void> unused = process.onExit().thenAcceptAsync(it -> ended.accept(it.exitValue()), later);
    }

    /**
     * Ends it, if it has not ended by itself.
     *
     * @return whether it had
     */
    boolean end(Duration grace) throws InterruptedException {
        boolean ended = !process.isAlive();
        if (!ended) {
            tree.end(grace);
        }
        forget();
        return ended;
    }

    int exitCode() {
        return process.exitValue();
    }

    /** There is nothing left to watch. */
    void forget() {
        parentWatchdog.dismiss();
    }
}
