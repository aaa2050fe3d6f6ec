package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.StoreException;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.child.LeasedChildProcess;
import dev.holdfast.cli.child.LeasedChildProcess.Outcome;
import dev.holdfast.cli.option.ChildOptions;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.LeaseHoldOptions;
import dev.holdfast.cli.output.RefusalTexts;
import dev.holdfast.service.LeaseService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code elect}: runs a command on the elected leader. Everything runs on the main thread, one leadership after the
 * other: the command of one leadership has ended before the next one can begin.
 */
public final class ElectCommand extends CliCommand {
    /** Longest single wait for the lease. The wait is repeated, so the value only bounds each request. */
    private static final Duration ROUND = Duration.ofMinutes(10);

    private final CliOption<String> name = KeyArguments.name(spec());
    private final LeaseHoldOptions hold = new LeaseHoldOptions(
            spec(), Duration.ofSeconds(30), "How long until another process leads if this machine dies. Default: 30s.");
    private final ChildOptions child = ChildOptions.underLease(spec());

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
    public int run(CommandContext commandContext) throws InterruptedException {
        List<String> command = child.toCommand(commandContext.args());
        Key key = commandContext.key(name.or(""));
        AcquireOptions options = hold.toOptions(commandContext.settings().owner());
        LeasedChildProcess leased = new LeasedChildProcess(
                commandContext.console(), commandContext.settings().store(), command, child.toEndRules(false));
        try (Leases leases = commandContext.openToHold()) {
            while (true) {
                AcquireResult result = contend(commandContext, leases, key, options);
                if (result instanceof AcquireResult.Done) {
                    commandContext.console().note(RefusalTexts.refused(result));
                    return ExitCode.DONE;
                }
                if (result instanceof AcquireResult.Granted granted) {
                    try (Lease lease = granted.lease()) {
                        Outcome outcome = leased.run(lease);
                        if (!(outcome instanceof Outcome.Lost lost)) {
                            return CommandEndings.exitCode(commandContext, lease, outcome);
                        }
                        CommandEndings.reportLoss(commandContext, lease, lost);
                        if (lost.signalled()) {
                            return ExitCode.LOST;
                        }
                    }
                }
            }
        }
    }

    /** Retries while the store fails: if every contender gave up, no process would lead after the outage. */
    private static AcquireResult contend(CommandContext commandContext, Leases leases, Key key, AcquireOptions options)
            throws InterruptedException {
        while (true) {
            try {
                return WaitForLease.acquire(commandContext, leases, key, options, ROUND);
            } catch (StoreException e) {
                commandContext.console().note(e.getMessage() + "; retrying");
                CompletableFuture<Void> rested = new CompletableFuture<>();
                LeaseService.of(leases).environment().schedule(options.term().dividedBy(3), () -> rested.complete(null));
                LeaseService.of(leases).environment().await(rested);
            }
        }
    }
}
