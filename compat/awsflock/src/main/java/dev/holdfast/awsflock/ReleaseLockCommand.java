package dev.holdfast.awsflock;

import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.Token;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;

/** {@code awsflock release}: deletes the item of the lock, as awsflock does. */
final class ReleaseLockCommand extends LockCommand {
    private final CommandOption<String> lock = LockTexts.lock(spec());
    private final CommandOption<String> lease = LockTexts.lease(spec());

    ReleaseLockCommand() {
        super("release", "LOCK_ID LEASE_ID", "Release a lock.");
        describe("Exit code 3 if the lock is no longer held by that lease.");
        examples("trap 'awsflock release nightly \"$lease\"' EXIT");
        onDynamo("GetItem", "DeleteItem");
    }

    @Override
    int runLock(CommandContext context) {
        Key key = Key.of(lock.or(""));
        Token proof = LockTexts.proof(key, lease.or(""));
        try (Leases leases = table.open(context, false)) {
            boolean held =
                    leases.get(key).filter(it -> it.entry().isHeldBy(proof)).isPresent();
            // Deletes only the entry held by this id. A holder that acquired the lock since then keeps it.
            if (held && leases.delete(key, proof) instanceof EditResult.Changed) {
                return ExitCode.OK;
            }
            verbose(context, key + " is no longer held by that lease");
            return ExitCode.HELD;
        }
    }
}
