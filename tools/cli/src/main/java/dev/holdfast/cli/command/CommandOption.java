package dev.holdfast.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.support.DurationText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.TypeConversionException;

/** One option or argument of a command: declared before parsing, read afterwards. */
public final class CommandOption<T> {
    private static final String STDIN = "-";

    private final ArgSpec spec;

    private CommandOption(ArgSpec spec) {
        this.spec = spec;
    }

    /** The given value; null if the option was not given. */
    public @Nullable T get() {
        return spec.getValue();
    }

    public T or(T otherwise) {
        T value = get();
        return value == null ? otherwise : value;
    }

    public boolean isGiven() {
        return get() != null;
    }

    /** The given text or, if it is {@code -}, the first line of stdin. */
    public String orStdin() {
        String given = String.valueOf(get());
        if (!given.equals(STDIN)) {
            return given;
        }
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
            return line == null ? "" : line.strip();
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.ERROR, "cannot read stdin: " + e.getMessage(), e);
        }
    }

    public static CommandOption<Boolean> flag(CommandSpec to, String description, String... names) {
        return added(to, option(boolean.class, description, names).arity("0"));
    }

    public static CommandOption<Boolean> json(CommandSpec to) {
        return flag(to, "Print JSON.", "--json");
    }

    public static CommandOption<String> text(CommandSpec to, String label, String description, String... names) {
        return added(to, option(String.class, description, names).paramLabel(label));
    }

    /** Option that may be repeated. */
    public static CommandOption<List<String>> texts(CommandSpec to, String label, String description, String... names) {
        return added(
                to,
                option(List.class, description, names)
                        .auxiliaryTypes(String.class)
                        .paramLabel(label));
    }

    /** Option with a fixed set of values. */
    public static CommandOption<String> choice(CommandSpec to, List<String> words, String description, String name) {
        return added(
                to,
                option(String.class, description, name)
                        .converters(oneOf(words))
                        .completionCandidates(words)
                        .paramLabel(String.join("|", words)));
    }

    private static ITypeConverter<String> oneOf(List<String> words) {
        return text -> {
            if (!words.contains(text)) {
                throw invalid(text, String.join(", ", words));
            }
            return text;
        };
    }

    /** Option with a duration, in any form that {@link DurationText#parseTyped} accepts. */
    public static CommandOption<Duration> duration(CommandSpec to, String label, String description, String... names) {
        return of(to, Duration.class, CommandOption::parseDuration, label, description, names);
    }

    /** Hidden aliases of an option with a duration: the names that other tools use. */
    static CommandOption<Duration> durationAlias(CommandSpec to, String... names) {
        ITypeConverter<Duration> parser = CommandOption::parseDuration;
        return added(to, option(Duration.class, "", names).converters(parser).hidden(true));
    }

    private static Duration parseDuration(String text) {
        try {
            return DurationText.parseTyped(text);
        } catch (DateTimeException e) {
            throw invalid(text, "a duration such as 15m, 3 minutes, 100hrs, 1 day, 1h30m, PT15M, or seconds");
        }
    }

    /** Option with a whole number from {@code least} to {@code most}. */
    public static CommandOption<Integer> number(
            CommandSpec to, int least, int most, String description, String... names) {
        ITypeConverter<Integer> parser = text -> {
            try {
                int number = Integer.parseInt(text);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Rejected below.
            }
            throw invalid(text, least + " to " + most);
        };
        return of(to, Integer.class, parser, "N", description, names);
    }

    /** Option with a value that {@code parser} parses. It throws {@link #invalid} for an invalid value. */
    public static <T> CommandOption<T> of(
            CommandSpec to,
            Class<T> type,
            ITypeConverter<T> parser,
            String label,
            String description,
            String... names) {
        return added(to, option(type, description, names).converters(parser).paramLabel(label));
    }

    /** The error for an invalid value, in the form {@code 'VALUE' (expected: ...)}. */
    public static TypeConversionException invalid(String value, String expected) {
        return new TypeConversionException("'" + VisibleText.shortened(value) + "' (expected: " + expected + ")");
    }

    private static OptionSpec.Builder option(Class<?> type, String description, String... names) {
        return OptionSpec.builder(names).type(type).description(description);
    }

    /** Adds an option that picocli's own builder describes. */
    public static <T> CommandOption<T> added(CommandSpec to, OptionSpec.Builder builder) {
        OptionSpec spec = builder.build();
        to.addOption(spec);
        return new CommandOption<>(spec);
    }

    /** The name of a key, as the first argument. */
    public static CommandOption<String> keyName(CommandSpec to) {
        return positional(to, 0, "NAME", "The name of the key.");
    }

    /** The token of a lease, as the second argument; {@link #orStdin} reads it. */
    static CommandOption<String> token(CommandSpec to) {
        return positional(
                to,
                1,
                "TOKEN",
                "The token printed by acquire. Use - to read it from stdin: arguments are visible to all users of the"
                        + " machine.");
    }

    /** Required positional argument. */
    public static CommandOption<String> positional(CommandSpec to, int index, String label, String description) {
        return added(to, argument(String.valueOf(index), "1", label, description));
    }

    /** Optional positional argument. */
    public static CommandOption<String> optional(CommandSpec to, int index, String label, String description) {
        return added(to, argument(String.valueOf(index), "0..1", label, description));
    }

    /** Required positional argument with a fixed set of values. */
    public static CommandOption<String> word(CommandSpec to, int index, List<String> words, String description) {
        return added(
                to,
                argument(String.valueOf(index), "1", String.join("|", words), description)
                        .converters(oneOf(words))
                        .completionCandidates(words));
    }

    /** All positional arguments from {@code index} on. */
    public static CommandOption<List<String>> rest(
            CommandSpec to, int index, String label, String description, boolean required) {
        return added(
                to,
                argument(index + "..*", required ? "1..*" : "0..*", label, description)
                        .type(List.class)
                        .auxiliaryTypes(String.class));
    }

    private static PositionalParamSpec.Builder argument(String index, String arity, String label, String description) {
        return PositionalParamSpec.builder()
                .index(index)
                .arity(arity)
                .required(arity.startsWith("1"))
                .type(String.class)
                .paramLabel(label)
                .description(description);
    }

    private static <T> CommandOption<T> added(CommandSpec to, PositionalParamSpec.Builder builder) {
        PositionalParamSpec spec = builder.build();
        to.addPositional(spec);
        return new CommandOption<>(spec);
    }
}
