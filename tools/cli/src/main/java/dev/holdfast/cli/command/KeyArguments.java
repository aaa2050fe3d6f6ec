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

/** Arguments and options that most commands share. */
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
                "The token printed by acquire. Use - to read it from stdin: arguments are visible to all users of the"
                        + " machine.");
    }

    public static CliOption<Boolean> json(CommandSpec to) {
        return CliOption.flag(to, "Print JSON.", "--json");
    }

    static Token token(CliOption<String> option) {
        return Token.parse(orFirstLine(option.or("")));
    }

    /** Returns the argument or, if it is {@code -}, the first line of stdin. */
    public static String orFirstLine(String argument) {
        return argument.equals(STDIN) ? firstLine() : argument;
    }

    private static String firstLine() {
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
            return line == null ? "" : line.strip();
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.ERROR, "cannot read stdin: " + e.getMessage(), e);
        }
    }
}
