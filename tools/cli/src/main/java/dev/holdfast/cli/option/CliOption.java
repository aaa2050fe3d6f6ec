package dev.holdfast.cli.option;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** One option or argument of a command: declared before parsing, read afterwards. */
public final class CliOption<T> {
    private final ArgSpec spec;

    private CliOption(ArgSpec spec) {
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

    public static CliOption<Boolean> flag(CommandSpec to, String description, String... names) {
        return added(
                to, OptionSpec.builder(names).type(boolean.class).arity("0").description(description));
    }

    public static CliOption<String> text(CommandSpec to, String label, String description, String... names) {
        return added(
                to,
                OptionSpec.builder(names).type(String.class).paramLabel(label).description(description));
    }

    /** Option with a fixed set of values. */
    public static CliOption<String> choice(CommandSpec to, List<String> words, String description, String name) {
        return added(
                to,
                OptionSpec.builder(name)
                        .type(String.class)
                        .converters(oneOf(words))
                        .completionCandidates(words)
                        .paramLabel(String.join("|", words))
                        .description(description));
    }

    private static ITypeConverter<String> oneOf(List<String> words) {
        return text -> {
            if (!words.contains(text)) {
                throw ExpectedValue.of(text, String.join(", ", words));
            }
            return text;
        };
    }

    /** Option that may be repeated. */
    public static CliOption<List<String>> texts(CommandSpec to, String label, String description, String... names) {
        return added(
                to,
                OptionSpec.builder(names)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .paramLabel(label)
                        .description(description));
    }

    /** Option with a value that {@code convert} parses. It throws {@link ExpectedValue#of} for an invalid value. */
    public static <T> CliOption<T> of(
            CommandSpec to,
            Class<T> type,
            ITypeConverter<T> convert,
            String label,
            String description,
            String... names) {
        return added(
                to,
                OptionSpec.builder(names)
                        .type(type)
                        .converters(convert)
                        .paramLabel(label)
                        .description(description));
    }

    /** Hidden aliases of an option, with the names that other tools use. */
    public static <T> CliOption<T> alias(CommandSpec to, Class<T> type, ITypeConverter<T> convert, String... names) {
        return added(
                to, OptionSpec.builder(names).type(type).converters(convert).hidden(true));
    }

    /** Required positional argument. */
    public static CliOption<String> positional(CommandSpec to, int index, String label, String description) {
        return positional(to, String.valueOf(index), "1", label, description);
    }

    /** Optional positional argument. */
    public static CliOption<String> optional(CommandSpec to, int index, String label, String description) {
        return positional(to, String.valueOf(index), "0..1", label, description);
    }

    /** Required positional argument with a fixed set of values. */
    public static CliOption<String> word(CommandSpec to, int index, List<String> words, String description) {
        PositionalParamSpec spec = PositionalParamSpec.builder()
                .index(String.valueOf(index))
                .arity("1")
                .required(true)
                .type(String.class)
                .converters(oneOf(words))
                .completionCandidates(words)
                .paramLabel(String.join("|", words))
                .description(description)
                .build();
        to.addPositional(spec);
        return new CliOption<>(spec);
    }

    private static CliOption<String> positional(
            CommandSpec to, String index, String arity, String label, String description) {
        PositionalParamSpec spec = PositionalParamSpec.builder()
                .index(index)
                .arity(arity)
                .required(arity.equals("1"))
                .type(String.class)
                .paramLabel(label)
                .description(description)
                .build();
        to.addPositional(spec);
        return new CliOption<>(spec);
    }

    /** All positional arguments from {@code index} on. */
    public static CliOption<List<String>> rest(
            CommandSpec to, int index, String label, String description, boolean required) {
        PositionalParamSpec spec = PositionalParamSpec.builder()
                .index(index + "..*")
                .arity(required ? "1..*" : "0..*")
                .required(required)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(label)
                .description(description)
                .build();
        to.addPositional(spec);
        return new CliOption<>(spec);
    }

    static <T> CliOption<T> added(CommandSpec to, OptionSpec.Builder builder) {
        OptionSpec spec = builder.build();
        to.addOption(spec);
        return new CliOption<>(spec);
    }
}
