package dev.holdfast.cli.run;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.LostReason;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.WaitForLease;
import dev.holdfast.support.EnvironmentToken;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** User's command that runs as long as a lease is held. */
final class LeasedChildProcess {
    private final CommandContext context;
    private final List<String> command;
    private final Duration grace;
    private final boolean waitsForDescendants;
    private final boolean once;

    /**
     * @param grace the time between SIGTERM and SIGKILL
     * @param waitsForDescendants whether the lease is kept until all processes that the command started have ended, too
     * @param once whether success marks the key as done
     */
    LeasedChildProcess(
            CommandContext context, List<String> command, Duration grace, boolean waitsForDescendants, boolean once) {
        this.context = context;
        this.command = command;
        this.grace = grace;
        this.waitsForDescendants = waitsForDescendants;
        this.once = once;
    }

    /**
     * Runs the command if the lease was granted, and ends the lease. Returns the exit code.
     *
     * @param conflict the exit code if another holder has the lease
     */
    int run(AcquireResult result, CommandOption<Integer> conflict) throws InterruptedException {
        if (!(result instanceof AcquireResult.Granted granted)) {
            return WaitForLease.refused(context, result, conflict.get());
        }
        try (Lease lease = granted.lease()) {
            ChildOutcome outcome = run(lease);
            return once
                    ? CommandEndReport.finish(context, lease, outcome)
                    : CommandEndReport.release(context, lease, outcome);
        }
    }

    /** Starts the command and waits for its end. Terminates the command if the lease is lost. */
    ChildOutcome run(Lease lease) throws InterruptedException {
        String mark = EnvironmentToken.LEASE_TOKEN + "=" + lease.token().secret();
        try (SignalForwarding signals =
                SignalForwarding.caught(context.console().terminal().isIn())) {
            ParentWatchdog watchdog = ParentWatchdog.overMarked(mark, grace);
            try {
                Process child = ChildProcess.start(command, variables(lease));
                signals.forwardTo(child.toHandle());
                watchdog.watch(child.toHandle());
                return watch(lease, child, mark, signals, watchdog);
            } finally {
                watchdog.dismiss();
            }
        }
    }

    private ChildOutcome watch(
            Lease lease, Process child, String mark, SignalForwarding signals, ParentWatchdog watchdog)
            throws InterruptedException {
        ProcessTree tree = new ProcessTree(child.toHandle(), mark);
        CompletableFuture<LostReason> lost = new CompletableFuture<>();
        lease.onLost(lost::complete);
        CompletableFuture.anyOf(child.onExit(), lost).join();
        if (!lost.isDone() && waitsForDescendants) {
            // Finds processes by the mark only: the command has ended, and the system may reuse its process id.
            ParentWatchdog marked = ParentWatchdog.overMarked(mark, grace);
            watchdog.dismiss();
            try {
                awaitDescendants(tree, lost, signals.stop());
            } finally {
                marked.dismiss();
            }
        }
        if (lost.isDone()) {
            boolean signalled = signals.stop().isReceived();
            tree.end(grace);
            return new ChildOutcome.Lost(lost.join(), signalled);
        }
        StopRequest stop = signals.stop();
        // A late stop signal makes the success of the command doubtful, so its arrival is awaited before "done".
        return new ChildOutcome.Exited(child.exitValue(), once ? stop.settledNumber() : stop.number());
    }

    /** Waits until the descendants have ended or the lease is lost. A stop signal to holdfast terminates them. */
    private void awaitDescendants(ProcessTree tree, CompletableFuture<LostReason> lost, StopRequest stop)
            throws InterruptedException {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        stop.onReceived(() -> stopped.complete(null));
        tree.awaitEnd(CompletableFuture.anyOf(lost, stopped));
        if (stopped.isDone()) {
            tree.end(grace);
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
                context.settings().store()));
        // Inside the command, HOLDFAST_TOKEN is the lease's token. So the bearer token is passed on under its new name:
        // a holdfast call inside needs both.
        String bearer = EnvironmentToken.find(context.console().environment());
        if (bearer != null) {
            variables.put(EnvironmentToken.AUTH_TOKEN, bearer);
        }
        // Set even without a fence, so that the command does not inherit the fence of an outer holdfast run.
        variables.put("HOLDFAST_FENCE", lease.hasFence() ? lease.fence().toString() : "");
        return variables;
    }
}
