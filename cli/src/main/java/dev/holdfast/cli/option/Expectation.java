package dev.holdfast.cli.option;

import dev.holdfast.cli.output.Visible;
import picocli.CommandLine.TypeConversionException;

/** Refuses a value in the one voice of Holdfast: what it was, and what was expected. */
final class Expectation {
    private Expectation() {}

    static TypeConversionException of(String value, String expected) {
        return new TypeConversionException("'" + Visible.shortened(value) + "' (expected: " + expected + ")");
    }
}
