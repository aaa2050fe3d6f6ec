package dev.holdfast.chaos;

import java.util.List;

/**
 * A broken promise that a run has shown.
 *
 * @param judge the judge that found it
 * @param key empty if it concerns no single key
 * @param lines the lines of history and witness that show it
 */
public record ChaosViolation(String judge, String key, String rule, List<String> lines) {
    public ChaosViolation {
        lines = List.copyOf(lines);
    }

    @Override
    public String toString() {
        return judge + ": " + key + ": " + rule + "\n    " + String.join("\n    ", lines);
    }
}
