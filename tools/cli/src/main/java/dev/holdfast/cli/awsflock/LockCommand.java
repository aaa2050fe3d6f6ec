package dev.holdfast.cli.awsflock;

import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.StoreException;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;

/**
 * Base class of awsflock's commands. Error messages use awsflock's terms; a lost lease is not an error but exit code 3.
 */
abstract class LockCommand extends CliCommand {
    private static final String CREATE_HINT = "; create it with: ";
    private static final String TERM = "term: ";
    private static final String REGION_HINT = "add region=... to the URL, or set AWS_REGION";

    /** The table to work on. */
    final LockTable table;

    LockCommand(String name, String arguments, String header) {
        super(name, arguments, header);
        String space = arguments.isEmpty() ? "" : " ";
        spec().usageMessage().customSynopsis("awsflock " + name + " [OPTIONS]" + space + arguments);
        this.table = new LockTable(spec());
    }

    /** Runs the command and returns the exit code. */
    abstract int runLock(CommandContext commandContext) throws InterruptedException;

    @Override
    public final int run(CommandContext commandContext) throws InterruptedException {
        try {
            return runLock(commandContext);
        } catch (LeaseLostException e) {
            verbose(commandContext, e.key().map(Key::toString).orElse("the lock") + " is no longer held by that lease");
            return ExitCode.HELD;
        } catch (IllegalArgumentException e) {
            // The library says "term"; awsflock's option is --lease-duration.
            String text = String.valueOf(e.getMessage());
            throw text.startsWith(TERM)
                    ? CommandFailure.usage("--lease-duration: " + text.substring(TERM.length()))
                    : e;
        } catch (StoreException e) {
            throw new CommandFailure(ExitCode.ERROR, inAwsFlockTerms(e, table.name(commandContext)), e);
        }
    }

    private static String inAwsFlockTerms(StoreException e, String table) {
        String text = String.valueOf(e.getMessage()).replace(REGION_HINT, "set AWS_DEFAULT_REGION");
        int hint = text.indexOf(CREATE_HINT);
        String message = hint < 0 ? text : text.substring(0, hint + CREATE_HINT.length()) + createTable(table);
        return message + (e.effect() == StoreException.Effect.UNKNOWN ? " (it may have been applied)" : "");
    }

    private static String createTable(String table) {
        return "awsflock create-table --tablename " + table;
    }

    /** Prints a note if {@code -v} was given: without it, awsflock prints no notes on stderr. */
    static void verbose(CommandContext commandContext, String message) {
        if (commandContext.isVerbose()) {
            commandContext.console().note(message);
        }
    }
}
