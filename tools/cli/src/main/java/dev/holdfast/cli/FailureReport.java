package dev.holdfast.cli;

import dev.holdfast.AcquireResult;
import dev.holdfast.LeaseLostException;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreException;
import dev.holdfast.UnsupportedFeatureException;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.RefusalTexts;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.fleet.OldWorkersException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Maps exceptions to one line on stderr and an exit code. No other class does this. */
final class FailureReport {
    private final CommandConsole console;

    FailureReport(CommandConsole console) {
        this.console = console;
    }

    int report(Throwable thrown, boolean verbose) {
        if (isProcessEnding()) {
            // A signal is ending the process. The shutdown closes the store under the command, so its errors are
            // expected.
            return exitCode(thrown);
        }
        String message = message(thrown);
        if (!message.isEmpty()) {
            console.error(message);
        }
        if (verbose) {
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace, true));
            console.err().println(console.withoutSecrets(trace.toString()));
        }
        return exitCode(thrown);
    }

    /** Once the shutdown has begun, the JVM rejects new hooks. There is no other way to detect the shutdown. */
    static boolean isProcessEnding() {
        Thread hook = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            Runtime.getRuntime().removeShutdownHook(hook);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /** Reports a command line that picocli rejected. */
    int usage(ParameterException e) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        String qualified = spec.qualifiedName(" ");
        boolean standalone = spec.userObject() instanceof CliCommand called && called.isStandalone();
        String command = standalone ? qualified.substring("holdfast ".length()) : qualified;
        console.error(problem(e) + " (try: " + command + " --help)");
        return ExitCode.USAGE;
    }

    private static String problem(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String first = unmatched.getUnmatched().get(0);
            boolean inner = e.getCommandLine().getSubcommands().isEmpty();
            String problem =
                    unmatched.isUnknownOption() ? "unknown option" : inner ? "unexpected argument" : "unknown command";
            List<String> near = unmatched.getSuggestions();
            boolean known = !near.isEmpty() && (unmatched.isUnknownOption() || !inner);
            return problem + " '" + VisibleText.shortened(first) + "'"
                    + (known ? "; did you mean " + near.get(0) + "?" : "");
        }
        return lowerFirst(firstLine(e.getMessage()));
    }

    static int exitCode(Throwable thrown) {
        if (thrown instanceof CommandFailure failure) {
            return failure.exitCode();
        }
        if (thrown instanceof LeaseLostException) {
            return ExitCode.HELD;
        }
        if (thrown instanceof NotGrantedException refused) {
            return refused.result() instanceof AcquireResult.Done ? ExitCode.DONE : ExitCode.HELD;
        }
        boolean usage = thrown instanceof IllegalArgumentException || thrown instanceof UnsupportedFeatureException;
        return usage ? ExitCode.USAGE : ExitCode.ERROR;
    }

    private static String message(Throwable thrown) {
        String text = firstLine(thrown.getMessage());
        if (thrown instanceof CommandFailure) {
            return text;
        }
        if (thrown instanceof LeaseLostException lost) {
            return RefusalTexts.lost(lost);
        }
        if (thrown instanceof NotGrantedException refused) {
            return RefusalTexts.refused(refused.result());
        }
        if (thrown instanceof StoreException store) {
            String problem = text.isEmpty() ? "the store failed" : text;
            return problem + (store.effect() == StoreException.Effect.UNKNOWN ? " (it may have been applied)" : "")
                    + "; to diagnose: holdfast store check";
        }
        if (thrown instanceof IllegalArgumentException
                || thrown instanceof UnsupportedFeatureException
                || thrown instanceof OldWorkersException) {
            return text;
        }
        if (thrown instanceof InterruptedException) {
            return ""; // Happens only when a signal ends the process; its sender needs no message.
        }
        return "unexpected error: " + thrown.getClass().getSimpleName() + (text.isEmpty() ? "" : ": " + text)
                + " (-v shows the stack trace; please report it)";
    }

    private static String firstLine(@Nullable String text) {
        if (text == null) {
            return "";
        }
        int end = text.indexOf('\n');
        return (end < 0 ? text : text.substring(0, end)).strip();
    }

    private static String lowerFirst(String text) {
        return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }
}
