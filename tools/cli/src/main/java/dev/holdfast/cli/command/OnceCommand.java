package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
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

/** {@code once}: runs a command unless its key is done or held, and marks the key as done on success. */
public final class OnceCommand extends CliCommand {
    private final CliOption<String> name = KeyArguments.name(spec());
    private final LeaseHoldOptions hold = new LeaseHoldOptions(
            spec(),
            Duration.ofSeconds(30),
            "How long others wait if this machine dies. Default: 30s. The lease is renewed while CMD runs.");
    private final ChildOptions child = ChildOptions.underLease(spec());
    private final CliOption<Integer> conflict = ConflictOption.option(spec());

    public OnceCommand() {
        super(
                "once",
                "NAME -- CMD...",
                "Run a command unless its key is done or held; mark the key as done on success.");
        describe(
                "Exits with the code of CMD; with 4 if the key was already done, 3 if another holder is working on it, 5 if"
                        + " the lease was lost. If CMD fails, the key is released and can be acquired again.",
                "After INT, TERM or HUP the key is not marked as done, even if CMD exits with 0: the exit code is then 128"
                        + " plus the number of the signal.",
                "The work may still be repeated: if the machine dies after the work but before the key is marked as done, the"
                        + " next call runs CMD again.");
        examples("for f in in/*.csv; do holdfast once \"import/$f\" -- ./import.sh \"$f\"; done");
        onDynamo("GetItem", "BatchGetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext commandContext) throws InterruptedException {
        List<String> command = child.toCommand(commandContext.args());
        Key key = commandContext.key(name.or(""));
        AcquireOptions options = hold.toOptions(commandContext.settings().owner());
        try (Leases leases = commandContext.openToHold()) {
            AcquireResult result = leases.tryAcquire(key, options);
            if (!(result instanceof AcquireResult.Granted granted)) {
                commandContext.console().note(RefusalTexts.refused(result));
                return result instanceof AcquireResult.Done ? ExitCode.DONE : conflict.or(ExitCode.HELD);
            }
            try (Lease lease = granted.lease()) {
                LeasedChildProcess leased = new LeasedChildProcess(
                        commandContext.console(), commandContext.settings().store(), command, child.toEndRules(true));
                return finish(commandContext, lease, leased.run(lease));
            }
        }
    }

    private static int finish(CommandContext commandContext, Lease lease, Outcome outcome) {
        if (!(outcome instanceof Outcome.Exited exited) || exited.code() != ExitCode.OK) {
            return CommandEndings.exitCode(commandContext, lease, outcome);
        }
        if (exited.stopSignal() != 0) {
            return CommandEndings.interrupted(commandContext, lease, exited);
        }
        try {
            lease.done();
            return ExitCode.OK;
        } catch (LeaseLostException e) {
            commandContext
                    .console()
                    .error(RefusalTexts.shown(lease.key()) + " was lost before the command ended: "
                            + RefusalTexts.why(e.reason()) + "; it was not marked done");
            return ExitCode.LOST;
        }
    }
}
