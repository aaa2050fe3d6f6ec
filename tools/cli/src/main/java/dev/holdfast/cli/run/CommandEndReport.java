package dev.holdfast.cli.run;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.StoreException;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.RefusalTexts;

/** Report of the end of a command: it ends the lease, prints the messages, and determines the exit code. */
final class CommandEndReport {
    private CommandEndReport() {}

    /** Marks the key as done if the command succeeded, else releases the lease. Returns the exit code. */
    static int finish(CommandContext context, Lease lease, ChildOutcome outcome) {
        if (!(outcome instanceof ChildOutcome.Exited exited) || exited.code() != ExitCode.OK) {
            return release(context, lease, outcome);
        }
        return exited.stopSignal() == 0 ? done(context, lease) : interrupted(context, lease, exited);
    }

    /** Releases the lease and returns the exit code. */
    static int release(CommandContext context, Lease lease, ChildOutcome outcome) {
        if (outcome instanceof ChildOutcome.Lost lost) {
            reportLoss(context, lease, lost);
            return ExitCode.LOST;
        }
        String shown = RefusalTexts.shown(lease.key());
        try {
            if (!lease.release()) {
                context.console().error(shown + " was lost before the command ended; see: holdfast show");
                return ExitCode.LOST;
            }
        } catch (StoreException e) {
            context.console().note(shown + " could not be released and expires with its term: " + e.getMessage());
        }
        return ((ChildOutcome.Exited) outcome).code();
    }

    private static int done(CommandContext context, Lease lease) {
        try {
            lease.done();
            return ExitCode.OK;
        } catch (LeaseLostException e) {
            context.console()
                    .error(RefusalTexts.shown(lease.key()) + " was lost before the command ended: "
                            + RefusalTexts.why(e.reason()) + "; it was not marked done");
            return ExitCode.LOST;
        }
    }

    /** Releases the lease of a command that exited with 0 after a stop signal: its work may be incomplete. */
    private static int interrupted(CommandContext context, Lease lease, ChildOutcome.Exited exited) {
        int code = release(context, lease, exited);
        if (code != ExitCode.OK) {
            return code;
        }
        context.console()
                .error(RefusalTexts.shown(lease.key()) + " was not marked done: signal " + exited.stopSignal()
                        + " arrived before the command ended");
        return ExitCode.SIGNAL_BASE + exited.stopSignal();
    }

    static void reportLoss(CommandContext context, Lease lease, ChildOutcome.Lost lost) {
        context.console()
                .error(RefusalTexts.shown(lease.key()) + " was lost: " + RefusalTexts.why(lost.reason())
                        + "; the command was terminated");
    }
}
