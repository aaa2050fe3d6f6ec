package dev.holdfast.cli.awsflock;

import dev.holdfast.cli.option.Option;
import dev.holdfast.model.Key;
import dev.holdfast.model.LeaseLostException;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import picocli.CommandLine.Model.CommandSpec;

/** Words that awsflock's commands share. */
final class Locks {
    private Locks() {}

    static Option<String> lock(CommandSpec to) {
        return Option.positional(to, 0, "LOCK_ID", "The name of the lock.");
    }

    static Option<String> lease(CommandSpec to) {
        return Option.positional(to, 1, "LEASE_ID", "What acquire, or the last renew, printed.");
    }

    /**
     * The proof that a lease id is.
     *
     * @throws LeaseLostException if it cannot be one: then it was never granted
     */
    static Token proof(Key lock, String lease) {
        try {
            return Token.parse(lease);
        } catch (IllegalArgumentException e) {
            throw new LeaseLostException(lock, LostReason.TAKEN);
        }
    }
}
