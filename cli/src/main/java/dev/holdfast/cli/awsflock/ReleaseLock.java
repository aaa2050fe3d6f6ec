package dev.holdfast.cli.awsflock;

import dev.holdfast.EditResult;
import dev.holdfast.Leases;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;

/** {@code awsflock release}: removes the lock, as awsflock does. */
final class ReleaseLock extends LockCommand {
    private final Option<String> lock = Locks.lock(spec());
    private final Option<String> lease = Locks.lease(spec());

    ReleaseLock() {
        super("release", "LOCK_ID LEASE_ID", "Give a lock up.");
        describe("Exit code 3 if it is no longer held by that lease.");
        examples("trap 'awsflock release nightly \"$lease\"' EXIT");
        onDynamo("GetItem", "DeleteItem");
    }

    @Override
    int runLock(Context context) {
        Key key = Key.of(lock.or(""));
        Token proof = Locks.proof(key, lease.or(""));
        try (Leases leases = table.open(context, false)) {
            boolean held =
                    leases.get(key).filter(it -> it.entry().isHeldBy(proof)).isPresent();
            // What is deleted is what the id holds; who took it since then keeps it.
            if (held && leases.delete(key, proof) instanceof EditResult.Changed) {
                return ExitCode.OK;
            }
            tell(context, key + " is no longer held by that lease");
            return ExitCode.HELD;
        }
    }
}
