package dev.holdfast.cli.command;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.cli.output.LeaseStatusJson;
import java.time.Duration;

/** {@code acquire}: acquires a lease that outlives this process, and prints its token. */
public final class AcquireCommand extends CliCommand {
    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final WaitForLease wait = new WaitForLease(spec());
    private final LeaseHoldOptions hold = new LeaseHoldOptions(
            spec(),
            Duration.ofHours(2),
            "How long the lease lasts unless renewed. Default: 2 hours; it is not renewed automatically.");
    private final CommandOption<Boolean> json = CommandOption.json(spec());

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
    public int run(CommandContext context) throws InterruptedException {
        Key key = context.key(name);
        AcquireOptions options = hold.toOptions(context.settings().owner()).autoRenew(false);
        Duration patience = wait.patience();
        try (Leases leases = patience.isZero() ? context.open() : context.openToHold()) {
            return report(context, WaitForLease.acquire(context, leases, key, options, patience));
        }
    }

    private int report(CommandContext context, AcquireResult result) {
        boolean asJson = json.or(false);
        if (!(result instanceof AcquireResult.Granted granted)) {
            if (asJson) {
                context.console().print(LeaseStatusJson.of(result));
            }
            return WaitForLease.refused(context, result, null);
        }
        Lease lease = granted.lease();
        context.console()
                .print(asJson ? LeaseStatusJson.of(result) : lease.token().secret());
        if (context.console().out().checkError()) {
            // The caller has no token and cannot release the lease, which would stay held for hours.
            lease.release();
            throw new CommandFailure(
                    ExitCode.ERROR, "the token could not be written to stdout; the lease was released");
        }
        lease.detach();
        return ExitCode.OK;
    }
}
