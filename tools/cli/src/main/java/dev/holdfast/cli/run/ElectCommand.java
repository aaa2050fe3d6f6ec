package dev.holdfast.cli.run;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.StoreException;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.command.LeaseHoldOptions;
import dev.holdfast.cli.command.WaitForLease;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * {@code elect}: runs a command on the elected leader. Everything runs on the main thread, one leadership after the
 * other: the command of one leadership has ended before the next one can begin.
 */
public final class ElectCommand extends CliCommand {
    /** Longest single wait for the lease. The wait is repeated, so the value only bounds each request. */
    private static final Duration ROUND = Duration.ofMinutes(10);

    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final LeaseHoldOptions hold = new LeaseHoldOptions(
            spec(), Duration.ofSeconds(30), "How long until another process leads if this machine dies. Default: 30s.");
    private final ChildOptions child = new ChildOptions(spec(), true);

    public ElectCommand() {
        super("elect", "NAME -- CMD...", "Elect a leader among several processes and run a command on it.");
        describe(
                "Waits until this process is the leader, then runs CMD. If the leadership is lost, CMD and all processes"
                        + " that it started are terminated, and this process contends again. When CMD exits, holdfast exits"
                        + " with the same code, and another process becomes the leader.");
        examples("holdfast elect scheduler -- ./scheduler", "holdfast elect scheduler --term 10s -- ./scheduler");
        onDynamo("GetItem", "BatchGetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        LeasedChildProcess command = child.underLease(context, false);
        Key key = context.key(name);
        AcquireOptions options = hold.toOptions(context.settings().owner());
        try (Leases leases = context.openToHold()) {
            while (true) {
                AcquireResult result = contend(context, leases, key, options);
                if (result instanceof AcquireResult.Done) {
                    return WaitForLease.refused(context, result, null);
                }
                if (result instanceof AcquireResult.Granted granted) {
                    try (Lease lease = granted.lease()) {
                        ChildOutcome outcome = command.run(lease);
                        if (!(outcome instanceof ChildOutcome.Lost lost)) {
                            return CommandEndReport.release(context, lease, outcome);
                        }
                        CommandEndReport.reportLoss(context, lease, lost);
                        if (lost.signalled()) {
                            return ExitCode.LOST;
                        }
                    }
                }
            }
        }
    }

    /** Retries while the store fails: if every contender gave up, no process would lead after the outage. */
    private static AcquireResult contend(CommandContext context, Leases leases, Key key, AcquireOptions options)
            throws InterruptedException {
        while (true) {
            try {
                return WaitForLease.acquire(context, leases, key, options, ROUND);
            } catch (StoreException e) {
                context.console().note(e.getMessage() + "; retrying");
                CompletableFuture<Void> rested = new CompletableFuture<>();
                HostEnvironment environment = LeaseService.of(leases).environment();
                environment.schedule(options.term().dividedBy(3), () -> rested.complete(null));
                environment.await(rested);
            }
        }
    }
}
