package dev.holdfast.cli.awsflock;

import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.model.Key;

/** {@code awsflock renew}: prints the next id of the lease; the old one is worth nothing any more. */
final class RenewLock extends Command {
    private final Option<String> lock = Locks.lock(spec());
    private final Option<String> lease = Locks.lease(spec());
    private final LockTable table = new LockTable(spec());

    RenewLock() {
        super("renew", "LOCK_ID LEASE_ID", "Extend a lease by its duration, from now, and print its new id.");
        describe("Exit code 3 if the lease is lost.");
        spec().usageMessage().customSynopsis("awsflock renew [OPTIONS] LOCK_ID LEASE_ID");
        examples("lease=$(awsflock renew nightly \"$lease\") || exit");
        onDynamo("GetItem", "UpdateItem");
    }

    @Override
    public int run(Context context) {
        try (Leases leases = table.open(context, false)) {
            context.console()
                    .out()
                    .println(leases.renewal(Key.of(lock.or("")), Locks.proof(lease.or("")))
                            .token()
                            .secret());
        }
        return ExitCode.OK;
    }
}
