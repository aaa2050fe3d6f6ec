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
    /** The last lines show the contradiction; all of them are in the report. */
    private static final int SHOWN_MAX = 12;

    public ChaosViolation {
        lines = List.copyOf(lines);
    }

    @Override
    public String toString() {
        int hidden = Math.max(0, lines.size() - SHOWN_MAX);
        return judge + ": " + key + ": " + rule
                + (hidden == 0 ? "" : "\n    (" + hidden + " lines before are in report.json)") + "\n    "
                + String.join("\n    ", lines.subList(hidden, lines.size()));
    }
}
