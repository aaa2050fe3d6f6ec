package dev.holdfast.cli.option;

import dev.holdfast.cli.output.VisibleText;
import picocli.CommandLine.TypeConversionException;

/** Refuses a value in the one voice of Holdfast: what it was, and what was expected. */
final class ExpectedValue {
    private ExpectedValue() {}

    static TypeConversionException of(String value, String expected) {
        return new TypeConversionException("'" + VisibleText.shortened(value) + "' (expected: " + expected + ")");
    }
}
