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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps a command running on one of all contenders. All of it on the main thread, one leadership after the other: the
 * command of one has ended before the next can begin.
 */
public final class ElectCommand extends CliCommand {
    /** Contending is renewed now and then only so that no wait is without end. */
    private static final Duration ROUND = Duration.ofMinutes(10);

    private final CliOption<String> name = KeyArguments.name(spec());
    private final LeaseHoldOptions hold = new LeaseHoldOptions(
            spec(), Duration.ofSeconds(30), "How long until another leads if this machine dies; 30s unless said.");
    private final ChildOptions child = ChildOptions.underLease(spec());

    public ElectCommand() {
        super("elect", "NAME -- CMD...", "Keep a command running on exactly one of all contenders.");
        describe(
                "Waits until it leads, then runs CMD. If the leadership is lost, CMD and all that it started are ended, and"
                        + " it contends again. If CMD ends by itself, so does this, with its exit code, and another leads.");
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
                    try (Lease lease = granted.held()) {
                        Outcome outcome = leased.run(lease);
                        if (!(outcome instanceof Outcome.Lost lost)) {
                            return CommandEndings.exitCode(commandContext, lease, outcome);
                        }
                        CommandEndings.tellLoss(commandContext, lease, lost);
                        if (lost.signalled()) {
                            return ExitCode.LOST;
                        }
                    }
                }
            }
        }
    }

    /** A store in trouble is waited for: a leader that gives up for it would leave nobody. */
    private static AcquireResult contend(CommandContext commandContext, Leases leases, Key key, AcquireOptions options)
            throws InterruptedException {
        while (true) {
            try {
                return WaitForLease.acquire(commandContext, leases, key, options, ROUND);
            } catch (StoreException e) {
                commandContext.console().note(e.getMessage() + "; trying again");
                CompletableFuture<Void> rested = new CompletableFuture<>();
                leases.runtime().schedule(options.term().duration().dividedBy(3), () -> rested.complete(null));
                leases.runtime().await(rested);
            }
        }
    }
}
