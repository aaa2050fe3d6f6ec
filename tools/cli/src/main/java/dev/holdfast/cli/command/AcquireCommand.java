package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.LeaseHoldOptions;
import dev.holdfast.cli.option.WaitOptions;
import dev.holdfast.cli.output.AcquireResultJson;
import dev.holdfast.cli.output.RefusalTexts;
import java.time.Duration;

/** {@code acquire}: acquires a lease that outlives this process, and prints its token. */
public final class AcquireCommand extends CliCommand {
    private final CliOption<String> name = KeyArguments.name(spec());
    private final WaitOptions wait = new WaitOptions(spec());
    private final LeaseHoldOptions hold = new LeaseHoldOptions(
            spec(),
            Duration.ofHours(2),
            "How long the lease lasts unless renewed. Default: 2 hours; it is not renewed automatically.");
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    public AcquireCommand() {
        super("acquire", "NAME", "Acquire a lease and print its token.");
        describe("Commands such as renew, release and done need the token. Exit code 3 if the lease is held by another"
                + " holder, 4 if the key is done.");
        examples(
                "token=$(holdfast acquire nightly --no-wait) || exit",
                "holdfast acquire deploy --wait 10m --term 1h --attr ticket=4711");
        onDynamo("GetItem", "BatchGetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext commandContext) throws InterruptedException {
        Key key = commandContext.key(name.or(""));
        AcquireOptions options =
                hold.toOptions(commandContext.settings().owner()).autoRenew(false);
        Duration patience = wait.toWait();
        try (Leases leases = patience.isZero() ? commandContext.open() : commandContext.openToHold()) {
            AcquireResult result = patience.isZero()
                    ? leases.tryAcquire(key, options)
                    : WaitForLease.acquire(commandContext, leases, key, options, patience);
            return report(commandContext, result);
        }
    }

    private int report(CommandContext commandContext, AcquireResult result) {
        boolean asJson = json.or(false);
        if (!(result instanceof AcquireResult.Granted granted)) {
            if (asJson) {
                commandContext.console().out().println(AcquireResultJson.of(result));
            }
            commandContext.console().note(RefusalTexts.refused(result));
            return result instanceof AcquireResult.Done ? ExitCode.DONE : ExitCode.HELD;
        }
        Lease lease = granted.lease();
        commandContext
                .console()
                .out()
                .println(asJson ? AcquireResultJson.of(result) : lease.token().secret());
        if (commandContext.console().out().checkError()) {
            // The caller has no token and cannot release the lease, which would stay held for hours.
            lease.release();
            throw new CommandFailure(
                    ExitCode.ERROR, "the token could not be written to stdout; the lease was released");
        }
        lease.detach();
        return ExitCode.OK;
    }
}
