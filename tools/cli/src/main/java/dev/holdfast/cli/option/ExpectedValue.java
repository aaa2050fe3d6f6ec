package dev.holdfast.cli.option;

import dev.holdfast.cli.output.VisibleText;
import picocli.CommandLine.TypeConversionException;

/** Factory of errors for invalid values, in the form {@code 'VALUE' (expected: ...)}. */
final class ExpectedValue {
    private ExpectedValue() {}

    static TypeConversionException of(String value, String expected) {
        return new TypeConversionException("'" + VisibleText.shortened(value) + "' (expected: " + expected + ")");
    }
}
