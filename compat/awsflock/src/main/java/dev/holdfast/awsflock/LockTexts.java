package dev.holdfast.awsflock;

import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LostReason;
import dev.holdfast.Token;
import dev.holdfast.cli.command.CommandOption;
import picocli.CommandLine.Model.CommandSpec;

/** Arguments that awsflock's commands share. */
final class LockTexts {
    private LockTexts() {}

    static CommandOption<String> lock(CommandSpec to) {
        return CommandOption.positional(to, 0, "LOCK_ID", "The name of the lock.");
    }

    static CommandOption<String> lease(CommandSpec to) {
        return CommandOption.positional(to, 1, "LEASE_ID", "The lease id printed by acquire or by the last renew.");
    }

    /**
     * Converts a lease id to a token.
     *
     * @throws LeaseLostException if the text is not a valid token: such an id was never granted
     */
    static Token proof(Key lock, String lease) {
        try {
            return Token.parse(lease);
        } catch (IllegalArgumentException e) {
            throw new LeaseLostException(lock, LostReason.TAKEN);
        }
    }
}
