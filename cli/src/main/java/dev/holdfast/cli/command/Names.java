package dev.holdfast.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.model.Token;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import picocli.CommandLine.Model.CommandSpec;

/** Words that most commands share. */
final class Names {
    private static final String STDIN = "-";

    private Names() {}

    static Option<String> name(CommandSpec to) {
        return Option.positional(to, 0, "NAME", "The name of the key.");
    }

    static Option<String> fleet(CommandSpec to) {
        return Option.positional(to, 0, "NAME", "The name of the fleet.");
    }

    static Option<String> token(CommandSpec to) {
        return Option.positional(
                to,
                1,
                "TOKEN",
                "What acquire printed; - reads it from stdin, as every user of the machine can see arguments.");
    }

    static Option<Boolean> json(CommandSpec to) {
        return Option.flag(to, "Print JSON.", "--json");
    }

    static Token token(Option<String> said) {
        return Token.parse(orFirstLine(said.or("")));
    }

    /** What was said, or, in place of {@code -}, the first line of stdin. */
    static String orFirstLine(String said) {
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
