package dev.holdfast.cli.awsflock;

import dev.holdfast.EditResult;
import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;

/** {@code awsflock release}: removes the lock, as awsflock does. */
final class ReleaseLock extends Command {
    private final Option<String> lock = Locks.lock(spec());
    private final Option<String> lease = Locks.lease(spec());
    private final LockTable table = new LockTable(spec());

    ReleaseLock() {
        super("release", "LOCK_ID LEASE_ID", "Give a lock up.");
        describe("Exit code 3 if it is no longer held by that lease.");
        spec().usageMessage().customSynopsis("awsflock release [OPTIONS] LOCK_ID LEASE_ID");
        examples("trap 'awsflock release nightly \"$lease\"' EXIT");
        onDynamo("GetItem", "DeleteItem");
    }

    @Override
    public int run(Context context) {
        Key key = Key.of(lock.or(""));
        Token proof = Locks.proof(lease.or(""));
        try (Leases leases = table.open(context, false)) {
            boolean held =
                    leases.get(key).filter(it -> it.entry().isHeldBy(proof)).isPresent();
            // What is deleted is what the id holds; who took it since then keeps it.
            if (held && leases.delete(key, proof) instanceof EditResult.Changed) {
                return ExitCode.OK;
            }
            Locks.tell(context, key + " is no longer held by that lease");
            return ExitCode.HELD;
        }
    }
}
