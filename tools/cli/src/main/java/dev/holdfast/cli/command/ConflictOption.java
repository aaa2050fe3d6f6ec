package dev.holdfast.cli.command;

import dev.holdfast.cli.option.CliOption;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** Option {@code --conflict-exit-code N}, as in flock(1). */
final class ConflictOption {
    private ConflictOption() {}

    static CliOption<Integer> option(CommandSpec to) {
        return CliOption.of(
                to,
                Integer.class,
                ConflictOption::parse,
                "N",
                "Exit code if the lease is held by another holder. Default: 3.",
                "--conflict-exit-code");
    }

    private static Integer parse(String text) {
        try {
            int code = Integer.parseInt(text);
            if (code >= 0 && code <= 255) {
                return code;
            }
        } catch (NumberFormatException e) {
            // Rejected below.
        }
        throw new TypeConversionException("'" + text + "' (expected: 0 to 255)");
    }
}
