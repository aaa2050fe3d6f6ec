package dev.holdfast.cli.command;

import dev.holdfast.Lease;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.child.LeasedChild.Outcome;
import dev.holdfast.cli.output.Answers;
import dev.holdfast.spi.StoreException;

/** What the end of a command means for its lease, and for the exit code. */
final class Endings {
    private Endings() {}

    /** Releases the lease. */
    static int exitCode(Context context, Lease lease, Outcome outcome) {
        if (outcome instanceof Outcome.Lost lost) {
            tellLoss(context, lease, lost);
            return ExitCode.LOST;
        }
        int code = ((Outcome.Exited) outcome).code();
        try {
            if (!lease.release()) {
                context.console()
                        .error(Answers.shown(lease.key())
                                + " was lost before the command ended; look with: holdfast show");
                return ExitCode.LOST;
            }
        } catch (StoreException e) {
            context.console()
                    .note(Answers.shown(lease.key()) + " was not released, and ends with its term: " + e.getMessage());
        }
        return code;
    }

    /** Releases the lease of a command that ended with 0 after holdfast was asked to stop: it may not have finished. */
    static int interrupted(Context context, Lease lease, Outcome.Exited exited) {
        int code = exitCode(context, lease, exited);
        if (code != ExitCode.OK) {
            return code;
        }
        context.console()
                .error(Answers.shown(lease.key()) + " is not marked done: signal " + exited.stopSignal()
                        + " came before the command ended");
        return ExitCode.SIGNAL_BASE + exited.stopSignal();
    }

    static void tellLoss(Context context, Lease lease, Outcome.Lost lost) {
        context.console()
                .error(Answers.shown(lease.key()) + " was lost: " + Answers.why(lost.reason())
                        + "; the command was ended");
    }
}
