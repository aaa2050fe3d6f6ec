package dev.holdfast.cli.awsflock;

import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
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

    /** The proof that a lease id is; one that cannot be one was never granted. */
    static Token proof(String lease) {
        try {
            return Token.parse(lease);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.HELD, "no lease has the id '" + lease + "'", e);
        }
    }

    /** awsflock speaks on stderr only if it is asked to. */
    static void tell(Context context, String message) {
        if (context.isVerbose()) {
            context.console().note(message);
        }
    }
}
