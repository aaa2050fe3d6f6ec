package dev.holdfast.cli.child;

import dev.holdfast.Lease;
import dev.holdfast.LostReason;
import dev.holdfast.cli.output.CliConsole;
import dev.holdfast.support.EnvironmentToken;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** User's command that runs as long as a lease is held. */
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

    /** How the command ended. */
    public sealed interface Outcome {
        /**
         * The command exited by itself.
         *
         * @param code the exit code; 128 plus the number of the signal, if a signal ended the command
         * @param stopSignal the number of the stop signal that holdfast received meanwhile; 0 without a signal
         */
        record Exited(int code, int stopSignal) implements Outcome {}

        /**
         * The command was terminated because the lease was lost.
         *
         * @param signalled whether holdfast received a stop signal meanwhile
         */
        record Lost(LostReason reason, boolean signalled) implements Outcome {}
    }

    /** Starts the command and waits for its end. Terminates the command if the lease is lost. */
    public Outcome run(Lease lease) throws InterruptedException {
        String mark = EnvironmentToken.LEASE_TOKEN + "=" + lease.token().secret();
        try (SignalForwarding signalForwarding =
                SignalForwarding.caught(cliConsole.terminal().isIn())) {
            ParentWatchdog parentWatchdog = ParentWatchdog.overMarked(mark, rules.grace());
            try {
                Process child = ChildProcess.start(command, variables(lease));
                signalForwarding.forwardTo(child.toHandle());
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
            // Finds processes by the mark only: the command has ended, and the system may reuse its process id.
            ParentWatchdog marked = ParentWatchdog.overMarked(mark, rules.grace());
            parentWatchdog.dismiss();
            try {
                awaitDescendants(tree, lost, signalForwarding.stop());
            } finally {
                marked.dismiss();
            }
        }
        if (lost.isDone()) {
            boolean signalled = signalForwarding.stop().isReceived();
            tree.end(rules.grace());
            return new Outcome.Lost(lost.join(), signalled);
        }
        StopRequest stop = signalForwarding.stop();
        return new Outcome.Exited(child.exitValue(), rules.settles() ? stop.settledNumber() : stop.number());
    }

    /** Waits until the descendants have ended or the lease is lost. A stop signal to holdfast terminates them. */
    private void awaitDescendants(ProcessTree tree, CompletableFuture<LostReason> lost, StopRequest stop)
            throws InterruptedException {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        stop.onReceived(() -> stopped.complete(null));
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
        // Inside the command, HOLDFAST_TOKEN is the lease's token. So the bearer token is passed on under its new name:
        // a holdfast call inside needs both.
        String bearer = EnvironmentToken.find(cliConsole.environment());
        if (bearer != null) {
            variables.put(EnvironmentToken.AUTH_TOKEN, bearer);
        }
        // Set even without a fence, so that the command does not inherit the fence of an outer holdfast run.
        variables.put("HOLDFAST_FENCE", lease.hasFence() ? lease.fence().toString() : "");
        return variables;
    }
}
