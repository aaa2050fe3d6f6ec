package dev.holdfast.cli.child;

import dev.holdfast.Lease;
import dev.holdfast.LostReason;
import dev.holdfast.cli.output.CliConsole;
import dev.holdfast.internal.EnvironmentToken;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Runs a command for as long as a lease is held. */
public final class LeasedChildProcess {
    private final CliConsole cliConsole;
    private final String store;
    private final List<String> command;
    private final ChildEndRules rules;

    public LeasedChildProcess(CliConsole cliConsole, String store, List<String> command, ChildEndRules rules) {
        this.cliConsole = cliConsole;
        this.store = store;
        this.command = command;
        this.rules = rules;
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
        String mark = EnvironmentToken.LEASE_TOKEN + "=" + lease.token().secret();
        try (SignalForwarding signalForwarding =
                SignalForwarding.caught(cliConsole.terminal().isIn())) {
            ParentWatchdog parentWatchdog = ParentWatchdog.overMarked(mark, rules.grace());
            try {
                Process child = ChildProcess.start(command, variables(lease));
                signalForwarding.passOnTo(child.toHandle());
                parentWatchdog.watch(child.toHandle());
                return watch(lease, child, mark, signalForwarding, parentWatchdog);
            } finally {
                parentWatchdog.dismiss();
            }
        }
    }

    private Outcome watch(
            Lease lease, Process child, String mark, SignalForwarding signalForwarding, ParentWatchdog parentWatchdog)
            throws InterruptedException {
        ProcessTree tree = new ProcessTree(child.toHandle(), mark);
        CompletableFuture<LostReason> lost = new CompletableFuture<>();
        lease.onLost(lost::complete);
        CompletableFuture.anyOf(child.onExit(), lost).join();
        if (!lost.isDone() && rules.waitsForDescendants()) {
            // By its mark alone: the command has ended, and the system may give its process id to another.
            ParentWatchdog marked = ParentWatchdog.overMarked(mark, rules.grace());
            parentWatchdog.dismiss();
            try {
                awaitDescendants(tree, lost, signalForwarding.stop());
            } finally {
                marked.dismiss();
            }
        }
        if (lost.isDone()) {
            boolean signalled = signalForwarding.stop().isHeard();
            tree.end(rules.grace());
            return new Outcome.Lost(lost.join(), signalled);
        }
        StopRequest stop = signalForwarding.stop();
        return new Outcome.Exited(child.exitValue(), rules.settles() ? stop.settledNumber() : stop.number());
    }

    /** Until they have ended or the lease is lost. If holdfast is asked to stop, so are they. */
    private void awaitDescendants(ProcessTree tree, CompletableFuture<LostReason> lost, StopRequest stop)
            throws InterruptedException {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        stop.onHeard(() -> stopped.complete(null));
        tree.awaitEnd(CompletableFuture.anyOf(lost, stopped));
        if (stopped.isDone()) {
            tree.end(rules.grace());
        }
    }

    private Map<String, String> variables(Lease lease) {
        Map<String, String> variables = new HashMap<>(Map.of(
                "HOLDFAST_NAME",
                lease.key().name(),
                "HOLDFAST_NAMESPACE",
                lease.key().namespace(),
                EnvironmentToken.LEASE_TOKEN,
                lease.token().secret(),
                EnvironmentToken.OLD_NAME,
                lease.token().secret(),
                "HOLDFAST_STORE",
                store));
        // The old name of the bearer token is that of the lease's token there: holdfast inside must find both.
        String bearer = EnvironmentToken.find(cliConsole.environment());
        if (bearer != null) {
            variables.put(EnvironmentToken.AUTH_TOKEN, bearer);
        }
        // Where there is none, that of a command further up must not pass for it.
        variables.put("HOLDFAST_FENCE", lease.hasFence() ? lease.fence().toString() : "");
        return variables;
    }
}
