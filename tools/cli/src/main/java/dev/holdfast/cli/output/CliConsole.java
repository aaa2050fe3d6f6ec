package dev.holdfast.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.support.PasswordRedaction;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Console of a command: its streams, the terminal they are connected to, and the secrets to redact. */
public final class CliConsole {
    private final PrintStream out;
    private final Supplier<@Nullable String> reason;
    private final PrintStream err;
    private final Map<String, String> environment;
    private final TerminalInfo terminalInfo;
    private PasswordRedaction passwordRedaction = PasswordRedaction.NONE;
    private boolean quiet;

    public CliConsole(PrintStream out, PrintStream err, Map<String, String> environment, TerminalInfo terminalInfo) {
        this(out, () -> null, err, environment, terminalInfo);
    }

    private CliConsole(
            PrintStream out,
            Supplier<@Nullable String> reason,
            PrintStream err,
            Map<String, String> environment,
            TerminalInfo terminalInfo) {
        this.out = out;
        this.reason = reason;
        this.err = err;
        this.environment = environment;
        this.terminalInfo = terminalInfo;
    }

    /** The streams of this process. */
    public static CliConsole ofProcess() {
        StandardOutput out = new StandardOutput();
        return new CliConsole(
                new PrintStream(out, false, UTF_8),
                out::failure,
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, UTF_8),
                System.getenv(),
                TerminalInfo.ofProcess());
    }

    /** The stream for results. */
    public PrintStream out() {
        return out;
    }

    /** The reason why some output could not be written; null if everything was written. */
    public @Nullable String outFailure() {
        if (!out.checkError()) {
            return null;
        }
        String known = reason.get();
        return known == null ? "write error" : known;
    }

    /** The stream for errors and notes. */
    public PrintStream err() {
        return err;
    }

    public Map<String, String> environment() {
        return environment;
    }

    public TerminalInfo terminal() {
        return terminalInfo;
    }

    /** The width of the terminal, in columns. */
    public int width() {
        return terminalInfo.width(environment);
    }

    /** The height of the terminal, in lines. */
    public int height() {
        return terminalInfo.height();
    }

    /** Whether stdout may be coloured. */
    public boolean isColourful() {
        return terminalInfo.isOut()
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }

    public void quiet(boolean newQuiet) {
        quiet = newQuiet;
    }

    public boolean isQuiet() {
        return quiet;
    }

    /** From now on, the passwords in this URL are redacted as well. */
    public void hide(String url) {
        passwordRedaction = passwordRedaction.and(PasswordRedaction.of(url));
    }

    public String withoutSecrets(String text) {
        return passwordRedaction.apply(text);
    }

    /** Prints an error on one line. */
    public void error(String message) {
        err.println("holdfast: " + VisibleText.line(withoutSecrets(message)));
    }

    /** Prints a note, unless {@code --quiet} was given. */
    public void note(String message) {
        if (!quiet) {
            error(message);
        }
    }

    /** Asks the user to confirm with y or yes. Works only if stdin is a terminal, see {@link TerminalInfo#isIn}. */
    public boolean confirms(String question) throws IOException {
        err.print(VisibleText.line(question) + " [y/N] ");
        err.flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
        return answer != null
                && (answer.strip().equalsIgnoreCase("y") || answer.strip().equalsIgnoreCase("yes"));
    }

    public void flush() {
        out.flush();
        err.flush();
    }
}
