package dev.holdfast.cli.awsflock;

import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.StoreException;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;

/** One of awsflock's commands: what goes wrong is said in awsflock's words, and a lost lease is no error but exit code 3. */
abstract class LockCommand extends CliCommand {
    private static final String CREATE_HINT = "; create it with: ";
    private static final String TERM = "term: ";
    private static final String REGION_HINT = "add region=... to the URL, or set AWS_REGION";

    /** Which table. */
    final LockTable table;

    LockCommand(String name, String arguments, String header) {
        super(name, arguments, header);
        String space = arguments.isEmpty() ? "" : " ";
        spec().usageMessage().customSynopsis("awsflock " + name + " [OPTIONS]" + space + arguments);
        this.table = new LockTable(spec());
    }

    /** Does it. Returns the exit code. */
    abstract int runLock(CommandContext commandContext) throws InterruptedException;

    @Override
    public final int run(CommandContext commandContext) throws InterruptedException {
        try {
            return runLock(commandContext);
        } catch (LeaseLostException e) {
            tell(commandContext, e.key().map(Key::toString).orElse("the lock") + " is no longer held by that lease");
            return ExitCode.HELD;
        } catch (IllegalArgumentException e) {
            // Elsewhere a lease has a term; here its option has another name.
            String said = String.valueOf(e.getMessage());
            throw said.startsWith(TERM)
                    ? CommandFailure.usage("--lease-duration: " + said.substring(TERM.length()))
                    : e;
        } catch (StoreException e) {
            throw new CommandFailure(ExitCode.ERROR, inTheirWords(e, table.name(commandContext)), e);
        }
    }

    private static String inTheirWords(StoreException e, String table) {
        String said = String.valueOf(e.getMessage()).replace(REGION_HINT, "set AWS_DEFAULT_REGION");
        int hint = said.indexOf(CREATE_HINT);
        String words = hint < 0 ? said : said.substring(0, hint + CREATE_HINT.length()) + createTable(table);
        return words + (e.effect() == StoreException.Effect.UNKNOWN ? " (it may have been applied)" : "");
    }

    private static String createTable(String table) {
        return "awsflock create-table --tablename " + table;
    }

    /** awsflock speaks on stderr only if it is asked to. */
    static void tell(CommandContext commandContext, String message) {
        if (commandContext.isVerbose()) {
            commandContext.console().note(message);
        }
    }
}
