package dev.holdfast.cli.command;

import dev.holdfast.Lease;
import dev.holdfast.StoreException;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.child.LeasedChildProcess.Outcome;
import dev.holdfast.cli.output.RefusalTexts;

/** What the end of a command means for its lease, and for the exit code. */
final class CommandEndings {
    private CommandEndings() {}

    /** Releases the lease. */
    static int exitCode(CommandContext commandContext, Lease lease, Outcome outcome) {
        if (outcome instanceof Outcome.Lost lost) {
            tellLoss(commandContext, lease, lost);
            return ExitCode.LOST;
        }
        int code = ((Outcome.Exited) outcome).code();
        try {
            if (!lease.release()) {
                commandContext
                        .console()
                        .error(RefusalTexts.shown(lease.key())
                                + " was lost before the command ended; look with: holdfast show");
                return ExitCode.LOST;
            }
        } catch (StoreException e) {
            commandContext
                    .console()
                    .note(RefusalTexts.shown(lease.key()) + " was not released, and ends with its term: "
                            + e.getMessage());
        }
        return code;
    }

    /** Releases the lease of a command that ended with 0 after holdfast was asked to stop: it may not have finished. */
    static int interrupted(CommandContext commandContext, Lease lease, Outcome.Exited exited) {
        int code = exitCode(commandContext, lease, exited);
        if (code != ExitCode.OK) {
            return code;
        }
        commandContext
                .console()
                .error(RefusalTexts.shown(lease.key()) + " is not marked done: signal " + exited.stopSignal()
                        + " came before the command ended");
        return ExitCode.SIGNAL_BASE + exited.stopSignal();
    }

    static void tellLoss(CommandContext commandContext, Lease lease, Outcome.Lost lost) {
        commandContext
                .console()
                .error(RefusalTexts.shown(lease.key()) + " was lost: " + RefusalTexts.why(lost.reason())
                        + "; the command was ended");
    }
}
