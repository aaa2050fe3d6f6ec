package dev.holdfast.cli.command;

import dev.holdfast.Lease;
import dev.holdfast.StoreException;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.child.LeasedChildProcess.Outcome;
import dev.holdfast.cli.output.RefusalTexts;

/** Release of a lease after its command ended, and the resulting exit code. */
final class CommandEndings {
    private CommandEndings() {}

    /** Releases the lease and returns the exit code. */
    static int exitCode(CommandContext commandContext, Lease lease, Outcome outcome) {
        if (outcome instanceof Outcome.Lost lost) {
            reportLoss(commandContext, lease, lost);
            return ExitCode.LOST;
        }
        int code = ((Outcome.Exited) outcome).code();
        try {
            if (!lease.release()) {
                commandContext
                        .console()
                        .error(RefusalTexts.shown(lease.key())
                                + " was lost before the command ended; see: holdfast show");
                return ExitCode.LOST;
            }
        } catch (StoreException e) {
            commandContext
                    .console()
                    .note(RefusalTexts.shown(lease.key()) + " could not be released and expires with its term: "
                            + e.getMessage());
        }
        return code;
    }

    /** Releases the lease of a command that exited with 0 after a stop signal: its work may be incomplete. */
    static int interrupted(CommandContext commandContext, Lease lease, Outcome.Exited exited) {
        int code = exitCode(commandContext, lease, exited);
        if (code != ExitCode.OK) {
            return code;
        }
        commandContext
                .console()
                .error(RefusalTexts.shown(lease.key()) + " was not marked done: signal " + exited.stopSignal()
                        + " arrived before the command ended");
        return ExitCode.SIGNAL_BASE + exited.stopSignal();
    }

    static void reportLoss(CommandContext commandContext, Lease lease, Outcome.Lost lost) {
        commandContext
                .console()
                .error(RefusalTexts.shown(lease.key()) + " was lost: " + RefusalTexts.why(lost.reason())
                        + "; the command was terminated");
    }
}
