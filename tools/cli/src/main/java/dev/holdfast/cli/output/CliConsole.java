package dev.holdfast.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where the command speaks: its streams, what they are connected to, and what must not be told there. */
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

    /** For what was asked for. */
    public PrintStream out() {
        return out;
    }

    /** Why not all of the output could be written; null if all of it was. */
    public @Nullable String outFailure() {
        if (!out.checkError()) {
            return null;
        }
        String known = reason.get();
        return known == null ? "write error" : known;
    }

    /** For errors and all that is said besides. */
    public PrintStream err() {
        return err;
    }

    public Map<String, String> environment() {
        return environment;
    }

    public TerminalInfo terminal() {
        return terminalInfo;
    }

    /** How many columns there are. */
    public int width() {
        return terminalInfo.width(environment);
    }

    /** How many lines there are. */
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

    /** From now on, what is secret in this URL, too, is not shown. */
    public void hide(String url) {
        passwordRedaction = passwordRedaction.and(PasswordRedaction.of(url));
    }

    public String withoutSecrets(String text) {
        return passwordRedaction.apply(text);
    }

    /** An error: one line. */
    public void error(String message) {
        err.println("holdfast: " + VisibleText.line(withoutSecrets(message)));
    }

    /** Something worth knowing; not said to those who want quiet. */
    public void note(String message) {
        if (!quiet) {
            error(message);
        }
    }

    /** Asks a question that is answered by y or yes; only where {@link TerminalInfo#isIn}. */
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
