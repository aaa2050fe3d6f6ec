package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.child.LeasedChild;
import dev.holdfast.cli.child.LeasedChild.Outcome;
import dev.holdfast.cli.option.ChildOptions;
import dev.holdfast.cli.option.HoldOptions;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Answers;
import dev.holdfast.model.Key;
import dev.holdfast.model.LeaseLostException;
import java.time.Duration;
import java.util.List;

/** Runs a command unless its key is done or held, and marks it done on success. */
public final class OnceCommand extends Command {
    private final Option<String> name = Names.name(spec());
    private final HoldOptions hold = new HoldOptions(
            spec(),
            Duration.ofSeconds(30),
            "How long others wait if this machine dies; 30s unless said. The lease is renewed while CMD runs.");
    private final ChildOptions child = ChildOptions.underLease(spec());
    private final Option<Integer> conflict = Conflicts.option(spec());

    public OnceCommand() {
        super("once", "NAME -- CMD...", "Run a command unless its key is done or held; mark it done on success.");
        describe(
                "Ends with the exit code of CMD; with 4 if it was done before, 3 if another is at it, 5 if the lease was"
                        + " lost. If CMD fails the key is free again.",
                "After INT, TERM or HUP the key is not marked done, even if CMD ends with 0: then the exit code is 128 and the"
                        + " number of the signal.",
                "Once is about what is recorded: a machine that dies after the work and before the mark leaves the work to be"
                        + " done again.");
        examples("for f in in/*.csv; do holdfast once \"import/$f\" -- ./import.sh \"$f\"; done");
        onDynamo("GetItem", "BatchGetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(Context context) throws InterruptedException {
        List<String> command = child.toCommand(context.args());
        Key key = context.key(name.or(""));
        AcquireOptions options = hold.toOptions(context.settings().owner());
        try (Leases leases = context.openToHold()) {
            AcquireResult result = leases.tryAcquire(key, options);
            if (!(result instanceof AcquireResult.Granted granted)) {
                context.console().note(Answers.refused(result));
                return result instanceof AcquireResult.Done ? ExitCode.DONE : conflict.or(ExitCode.HELD);
            }
            try (Lease lease = granted.held()) {
                LeasedChild leased =
                        new LeasedChild(context.console(), context.settings().store(), command, child.toEndRules(true));
                return finish(context, lease, leased.run(lease));
            }
        }
    }

    private static int finish(Context context, Lease lease, Outcome outcome) {
        if (!(outcome instanceof Outcome.Exited exited) || exited.code() != ExitCode.OK) {
            return Endings.exitCode(context, lease, outcome);
        }
        if (exited.stopSignal() != 0) {
            return Endings.interrupted(context, lease, exited);
        }
        try {
            lease.done();
            return ExitCode.OK;
        } catch (LeaseLostException e) {
            context.console()
                    .error(Answers.shown(lease.key()) + " was lost before the command ended: " + Answers.why(e.reason())
                            + "; it is not marked done");
            return ExitCode.LOST;
        }
    }
}
