package dev.holdfast.awsflock;

import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.StoreException;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.dynamodb.MissingSetupException;

/**
 * Base class of awsflock's commands. Error messages use awsflock's terms; a lost lease is not an error but exit code 3.
 */
abstract class LockCommand extends CliCommand {
    private static final String TERM = "term: ";

    /** The table to work on. */
    final LockTable table;

    LockCommand(String name, String arguments, String header) {
        super(name, arguments, header);
        String space = arguments.isEmpty() ? "" : " ";
        spec().usageMessage().customSynopsis("awsflock " + name + " [OPTIONS]" + space + arguments);
        this.table = new LockTable(spec());
    }

    @Override
    public final boolean isStandalone() {
        return true;
    }

    /** Runs the command and returns the exit code. */
    abstract int runLock(CommandContext context) throws InterruptedException;

    @Override
    public final int run(CommandContext context) throws InterruptedException {
        try {
            return runLock(context);
        } catch (LeaseLostException e) {
            verbose(context, e.key().map(Key::toString).orElse("the lock") + " is no longer held by that lease");
            return ExitCode.HELD;
        } catch (IllegalArgumentException e) {
            // The library says "term"; awsflock's option is --lease-duration.
            String text = String.valueOf(e.getMessage());
            throw text.startsWith(TERM)
                    ? CommandFailure.usage("--lease-duration: " + text.substring(TERM.length()))
                    : e;
        } catch (StoreException e) {
            throw new CommandFailure(ExitCode.ERROR, inAwsFlockTerms(e, table.name(context)), e);
        }
    }

    /** The message of the store, with a remedy that works for awsflock. */
    private static String inAwsFlockTerms(StoreException e, String table) {
        String text = String.valueOf(e.getMessage());
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof MissingSetupException missing && text.contains(missing.remedy())) {
                text = switch (missing.part()) {
                    case REGION -> text.replace(missing.remedy(), "set AWS_DEFAULT_REGION");
                    case TABLE ->
                        text.substring(0, text.indexOf(missing.remedy()))
                                + "create it with: awsflock create-table --tablename " + table;
                };
                break;
            }
        }
        return text + (e.effect() == StoreException.Effect.UNKNOWN ? " (it may have been applied)" : "");
    }

    /** Prints a note if {@code -v} was given: without it, awsflock prints no notes on stderr. */
    static void verbose(CommandContext context, String message) {
        if (context.verbose()) {
            context.console().note(message);
        }
    }
}
