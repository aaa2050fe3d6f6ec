package dev.holdfast.cli.option;

import java.math.BigDecimal;
import picocli.CommandLine.Model.CommandSpec;

/** Option {@code --weight N}. */
public final class WeightOption {
    private WeightOption() {}

    public static CliOption<BigDecimal> option(CommandSpec to, String description) {
        return CliOption.of(to, BigDecimal.class, WeightOption::parse, "N", description, "--weight");
    }

    private static BigDecimal parse(String text) {
        try {
            BigDecimal weight = new BigDecimal(text);
            if (weight.signum() > 0) {
                return weight;
            }
        } catch (NumberFormatException e) {
            // Rejected below.
        }
        throw ExpectedValue.of(text, "a number > 0");
    }
}
