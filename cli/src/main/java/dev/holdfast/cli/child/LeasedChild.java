package dev.holdfast.cli.child;

import dev.holdfast.Lease;
import dev.holdfast.cli.output.Console;
import dev.holdfast.model.LostReason;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Runs a command for as long as a lease is held. */
public final class LeasedChild {
    private static final String TOKEN = "HOLDFAST_TOKEN";

    private final Console console;
    private final String store;
    private final List<String> command;
    private final Duration grace;
    private final boolean settles;

    /**
     * @param grace how long after SIGTERM comes SIGKILL
     * @param settles whether the caller must know of every stop signal that was sent before the command ended
     */
    public LeasedChild(Console console, String store, List<String> command, Duration grace, boolean settles) {
        this.console = console;
        this.store = store;
        this.command = command;
        this.grace = grace;
        this.settles = settles;
    }

    /** How it ended. */
    public sealed interface Outcome {
        /**
         * By itself.
         *
         * @param code 128 and the number of the signal, if one ended it
         * @param stopSignal the number of the signal that asked holdfast to stop meanwhile; 0 if none did
         */
        record Exited(int code, int stopSignal) implements Outcome {}

        /**
         * It was ended, because the lease was lost.
         *
         * @param signalled whether a signal asked holdfast to stop meanwhile
         */
        record Lost(LostReason reason, boolean signalled) implements Outcome {}
    }

    /** Starts the command and waits until it has ended, by itself or because the lease is lost. */
    public Outcome run(Lease lease) throws InterruptedException {
        String mark = TOKEN + "=" + lease.token();
        try (Signals signals = Signals.caught(console.terminal().isIn())) {
            Process child = Child.start(command, variables(lease));
            Watchdog watchdog = Watchdog.over(child.toHandle(), mark, grace);
            try {
                signals.passOnTo(child.toHandle());
                return watch(lease, child, new ProcessTree(child.toHandle(), mark), signals);
            } finally {
                watchdog.dismiss();
            }
        }
    }

    private Outcome watch(Lease lease, Process child, ProcessTree tree, Signals signals) throws InterruptedException {
        CompletableFuture<Outcome> lost = new CompletableFuture<>();
        lease.onLost(reason -> lost.complete(new Outcome.Lost(reason, false)));
        Outcome first = child.onExit()
                .<Outcome>thenApply(ended -> new Outcome.Exited(ended.exitValue(), 0))
                .applyToEither(lost, outcome -> outcome)
                .join();
        if (first instanceof Outcome.Lost loss) {
            boolean signalled = signals.stop().isHeard();
            tree.end(grace);
            return new Outcome.Lost(loss.reason(), signalled);
        }
        return new Outcome.Exited(
                child.exitValue(),
                settles ? signals.stop().settledNumber() : signals.stop().number());
    }

    private Map<String, String> variables(Lease lease) {
        Map<String, String> variables = new HashMap<>(Map.of(
                "HOLDFAST_NAME",
                lease.key().name(),
                "HOLDFAST_NAMESPACE",
                lease.key().namespace(),
                TOKEN,
                lease.token().toString(),
                "HOLDFAST_STORE",
                store));
        // Where there is none, that of a command further up must not pass for it.
        variables.put("HOLDFAST_FENCE", lease.hasFence() ? lease.fence().toString() : "");
        return variables;
    }
}
