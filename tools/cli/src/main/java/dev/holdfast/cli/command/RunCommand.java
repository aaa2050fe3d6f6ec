package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.child.LeasedChildProcess;
import dev.holdfast.cli.option.ChildOptions;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.LeaseHoldOptions;
import dev.holdfast.cli.option.WaitOptions;
import dev.holdfast.cli.output.RefusalTexts;
import java.time.Duration;
import java.util.List;

/** {@code run}: holds a lease while a command runs. */
public final class RunCommand extends CliCommand {
    private final CliOption<String> name = KeyArguments.name(spec());
    private final WaitOptions wait = new WaitOptions(spec());
    private final LeaseHoldOptions hold = new LeaseHoldOptions(
            spec(),
            Duration.ofSeconds(30),
            "How long others wait if this machine dies. Default: 30s. The lease is renewed while CMD runs.");
    private final ChildOptions child = ChildOptions.underLease(spec());
    private final CliOption<Integer> conflict = ConflictOption.option(spec());

    public RunCommand() {
        super("run", "NAME -- CMD...", "Hold a lease while a command runs.");
        describe(
                "Exits with the code of CMD; with 3 if the lease is held by another holder, 4 if the key is done, 5 if the"
                        + " lease was lost while CMD ran. On loss, CMD and all processes that it started are terminated.",
                "The environment of CMD has HOLDFAST_NAME, HOLDFAST_NAMESPACE, HOLDFAST_LEASE_TOKEN, HOLDFAST_FENCE and"
                        + " HOLDFAST_STORE, and HOLDFAST_AUTH_TOKEN if holdfast has one for a server.");
        examples(
                "holdfast run deploy -- ./deploy.sh production",
                "holdfast run nightly --no-wait --conflict-exit-code 0 -- ./backup.sh");
        onDynamo("GetItem", "BatchGetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext commandContext) throws InterruptedException {
        List<String> command = child.toCommand(commandContext.args());
        Key key = commandContext.key(name.or(""));
        AcquireOptions options = hold.toOptions(commandContext.settings().owner());
        Duration patience = wait.toWait();
        try (Leases leases = commandContext.openToHold()) {
            AcquireResult result = patience.isZero()
                    ? leases.tryAcquire(key, options)
                    : WaitForLease.acquire(commandContext, leases, key, options, patience);
            if (!(result instanceof AcquireResult.Granted granted)) {
                commandContext.console().note(RefusalTexts.refused(result));
                return result instanceof AcquireResult.Done ? ExitCode.DONE : conflict.or(ExitCode.HELD);
            }
            try (Lease lease = granted.lease()) {
                LeasedChildProcess leased = new LeasedChildProcess(
                        commandContext.console(), commandContext.settings().store(), command, child.toEndRules(false));
                return CommandEndings.exitCode(commandContext, lease, leased.run(lease));
            }
        }
    }
}
