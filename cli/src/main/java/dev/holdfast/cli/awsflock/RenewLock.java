package dev.holdfast.cli.awsflock;

import dev.holdfast.Leases;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.model.Key;

/** {@code awsflock renew}: prints the next id of the lease; the old one is worth nothing any more. */
final class RenewLock extends LockCommand {
    private final Option<String> lock = Locks.lock(spec());
    private final Option<String> id = Locks.lease(spec());
    private final LeaseOptions lease = new LeaseOptions(spec());

    RenewLock() {
        super("renew", "LOCK_ID LEASE_ID", "Extend a lease from now, and print its new id.");
        describe(
                "Exit code 3 if the lease is lost. Without --lease-duration the lease then lasts 2 hours, however long it"
                        + " lasted before.");
        examples("lease=$(awsflock renew nightly \"$lease\" --lease-duration 15m) || exit");
        onDynamo("GetItem", "UpdateItem");
    }

    @Override
    int runLock(Context context) {
        Key key = Key.of(lock.or(""));
        RenewOptions options = RenewOptions.defaults().term(lease.duration()).holder(lease.owner(context));
        try (Leases leases = table.open(context, false)) {
            RenewResult renewed = leases.renewal(key, Locks.proof(key, id.or("")), options);
            context.console().out().println(renewed.token().secret());
        }
        return ExitCode.OK;
    }
}
