package dev.holdfast.cli.run;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.LeaseHoldOptions;
import dev.holdfast.cli.command.WaitForLease;
import java.time.Duration;

/** {@code run}: holds a lease while a command runs. */
public final class RunCommand extends CliCommand {
    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final WaitForLease wait = new WaitForLease(spec());
    private final LeaseHoldOptions hold = new LeaseHoldOptions(
            spec(),
            Duration.ofSeconds(30),
            "How long others wait if this machine dies. Default: 30s. The lease is renewed while CMD runs.");
    private final ChildOptions child = new ChildOptions(spec(), true);
    private final CommandOption<Integer> conflict = ChildOptions.conflict(spec());

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
    public int run(CommandContext context) throws InterruptedException {
        LeasedChildProcess command = child.underLease(context, false);
        Key key = context.key(name);
        AcquireOptions options = hold.toOptions(context.settings().owner());
        Duration patience = wait.patience();
        try (Leases leases = context.openToHold()) {
            return command.run(WaitForLease.acquire(context, leases, key, options, patience), conflict);
        }
    }
}
