package dev.holdfast.cli.run;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.LeaseHoldOptions;
import java.time.Duration;

/** {@code once}: runs a command unless its key is done or held, and marks the key as done on success. */
public final class OnceCommand extends CliCommand {
    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final LeaseHoldOptions hold = new LeaseHoldOptions(
            spec(),
            Duration.ofSeconds(30),
            "How long others wait if this machine dies. Default: 30s. The lease is renewed while CMD runs.");
    private final ChildOptions child = new ChildOptions(spec(), true);
    private final CommandOption<Integer> conflict = ChildOptions.conflict(spec());

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
    public int run(CommandContext context) throws InterruptedException {
        LeasedChildProcess command = child.underLease(context, true);
        Key key = context.key(name);
        AcquireOptions options = hold.toOptions(context.settings().owner());
        try (Leases leases = context.openToHold()) {
            return command.run(leases.tryAcquire(key, options), conflict);
        }
    }
}
