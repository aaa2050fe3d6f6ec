package dev.holdfast.judges;

import java.util.List;

/**
 * A contradiction that a judge found.
 *
 * @param rule the broken rule, in words
 * @param lines the smallest set of lines found that shows it
 */
public record JudgedViolation(String key, String rule, List<String> lines) {
    public JudgedViolation {
        lines = List.copyOf(lines);
    }

    @Override
    public String toString() {
        return key + ": " + rule + "\n  " + String.join("\n  ", lines);
    }
}
