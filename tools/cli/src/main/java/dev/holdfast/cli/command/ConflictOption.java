package dev.holdfast.cli.command;

import dev.holdfast.cli.option.CliOption;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** {@code --conflict-exit-code N}, as in flock(1). */
final class ConflictOption {
    private ConflictOption() {}

    static CliOption<Integer> option(CommandSpec to) {
        return CliOption.of(
                to,
                Integer.class,
                ConflictOption::parse,
                "N",
                "The exit code if another holds it, in place of 3.",
                "--conflict-exit-code");
    }

    private static Integer parse(String text) {
        try {
            int code = Integer.parseInt(text);
            if (code >= 0 && code <= 255) {
                return code;
            }
        } catch (NumberFormatException e) {
            // As below.
        }
        throw new TypeConversionException("'" + text + "' (expected: 0 to 255)");
    }
}
