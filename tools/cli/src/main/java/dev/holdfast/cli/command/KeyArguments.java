package dev.holdfast.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Token;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.CliOption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import picocli.CommandLine.Model.CommandSpec;

/** Words that most commands share. */
public final class KeyArguments {
    private static final String STDIN = "-";

    private KeyArguments() {}

    static CliOption<String> name(CommandSpec to) {
        return CliOption.positional(to, 0, "NAME", "The name of the key.");
    }

    public static CliOption<String> fleet(CommandSpec to) {
        return CliOption.positional(to, 0, "NAME", "The name of the fleet.");
    }

    static CliOption<String> token(CommandSpec to) {
        return CliOption.positional(
                to,
                1,
                "TOKEN",
                "What acquire printed; - reads it from stdin, as every user of the machine can see arguments.");
    }

    public static CliOption<Boolean> json(CommandSpec to) {
        return CliOption.flag(to, "Print JSON.", "--json");
    }

    static Token token(CliOption<String> said) {
        return Token.parse(orFirstLine(said.or("")));
    }

    /** What was said, or, in place of {@code -}, the first line of stdin. */
    public static String orFirstLine(String said) {
        return said.equals(STDIN) ? firstLine() : said;
    }

    private static String firstLine() {
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
            return line == null ? "" : line.strip();
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.ERROR, "stdin cannot be read: " + e.getMessage(), e);
        }
    }
}
