package dev.holdfast.cli.run;

import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.VisibleText;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Starter of the user's command, which inherits the streams and the terminal of holdfast. */
final class ChildProcess {
    /** Property with the value of LC_ALL before the launcher set it for the JVM; empty if it was not set. */
    private static final String LOCALE = "holdfast.lc_all";

    private ChildProcess() {}

    /** @param variables to add to the inherited environment */
    static Process start(List<String> command, Map<String, String> variables) {
        return start(new ProcessBuilder(command).inheritIO(), variables);
    }

    /** Starts a command with an empty stdin: several commands would take each other's input. */
    static Process startWithoutInput(List<String> command, Map<String, String> variables) {
        return start(
                new ProcessBuilder(command)
                        .inheritIO()
                        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null"))),
                variables);
    }

    private static Process start(ProcessBuilder builder, Map<String, String> variables) {
        Map<String, String> environment = builder.environment();
        environment.putAll(variables);
        String locale = System.getProperty(LOCALE);
        if (locale != null) {
            environment.remove("LC_ALL");
            if (!locale.isEmpty()) {
                environment.put("LC_ALL", locale);
            }
        }
        try {
            return builder.start();
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            String program = VisibleText.shortened(builder.command().get(0));
            // "error=2, No such file..." up to about JDK 24, "error: 2 (No such file...)" since then.
            if (why.contains("error=2,") || why.contains("error: 2 ")) {
                throw new CommandFailure(ExitCode.NOT_FOUND, "command not found: " + program, e);
            }
            throw new CommandFailure(ExitCode.NOT_EXECUTABLE, "cannot run " + program + ": " + cause(why), e);
        }
    }

    /**
     * The cause in {@code Cannot run program "x": error=13, Permission denied}, or {@code ... error: 13 (Permission
     * denied)}.
     */
    private static String cause(String message) {
        String end = message.substring(Math.max(message.lastIndexOf(", "), message.lastIndexOf(" (")) + 1);
        return end.replace("(", "").replace(")", "").strip();
    }
}
