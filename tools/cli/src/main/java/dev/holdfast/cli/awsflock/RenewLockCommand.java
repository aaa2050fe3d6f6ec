package dev.holdfast.cli.awsflock;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.CliOption;

/** {@code awsflock renew}: prints the new id of the lease. The old id is no longer valid. */
final class RenewLockCommand extends LockCommand {
    private final CliOption<String> lock = LockTexts.lock(spec());
    private final CliOption<String> id = LockTexts.lease(spec());
    private final LockLeaseOptions lease = new LockLeaseOptions(spec());

    RenewLockCommand() {
        super("renew", "LOCK_ID LEASE_ID", "Renew a lease from now and print its new id.");
        describe(
                "Exit code 3 if the lease is lost. Without --lease-duration the new duration is 2 hours, not the previous"
                        + " one.");
        examples("lease=$(awsflock renew nightly \"$lease\" --lease-duration 15m) || exit");
        onDynamo("GetItem", "UpdateItem");
    }

    @Override
    int runLock(CommandContext commandContext) {
        Key key = Key.of(lock.or(""));
        RenewOptions options = RenewOptions.defaults().term(lease.duration()).holder(lease.owner(commandContext));
        try (Leases leases = table.open(commandContext, false)) {
            RenewResult renewed = leases.renew(key, LockTexts.proof(key, id.or("")), options);
            commandContext.console().out().println(renewed.token().secret());
        }
        return ExitCode.OK;
    }
}
