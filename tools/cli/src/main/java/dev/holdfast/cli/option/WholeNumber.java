package dev.holdfast.cli.option;

import picocli.CommandLine.Model.CommandSpec;

/** Option with a whole number, from one up to a bound. */
public final class WholeNumber {
    private WholeNumber() {}

    public static CliOption<Integer> option(CommandSpec to, int most, String description, String name) {
        return CliOption.of(to, Integer.class, text -> parse(text, most), "N", description, name);
    }

    private static Integer parse(String text, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Rejected below.
        }
        throw ExpectedValue.of(text, "1 to " + most);
    }
}
