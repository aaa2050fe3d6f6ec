package dev.holdfast.cli.option;

import java.math.BigDecimal;
import picocli.CommandLine.Model.CommandSpec;

/** {@code --weight N}. */
public final class Weight {
    private Weight() {}

    public static Option<BigDecimal> option(CommandSpec to, String description) {
        return Option.of(to, BigDecimal.class, Weight::parse, "N", description, "--weight");
    }

    private static BigDecimal parse(String text) {
        try {
            BigDecimal weight = new BigDecimal(text);
            if (weight.signum() > 0) {
                return weight;
            }
        } catch (NumberFormatException e) {
            // As below.
        }
        throw Expectation.of(text, "a number > 0");
    }
}
