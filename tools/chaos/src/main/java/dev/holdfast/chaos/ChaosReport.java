package dev.holdfast.chaos;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The result of one run on one store.
 *
 * @param keys the keys that were judged for linearizability
 * @param undecided keys that a judge gave up on
 * @param faults how often each kind of fault was struck
 * @param mishaps failures of the harness itself: such a run proves less, and does not count as passed
 */
public record ChaosReport(
        String store,
        long seed,
        String command,
        long seconds,
        long calls,
        long unknownOutcomes,
        long unplannedExits,
        int keys,
        Map<String, Integer> faults,
        List<String> undecided,
        List<String> mishaps,
        List<ChaosViolation> violations) {
    private static final int SHOWN_MAX = 10;

    public ChaosReport {
        faults = new TreeMap<>(faults);
        undecided = List.copyOf(undecided);
        mishaps = List.copyOf(mishaps);
        violations = List.copyOf(violations);
    }

    ChaosReport judged(int newKeys, List<String> newUndecided, List<ChaosViolation> newViolations) {
        return new ChaosReport(
                store,
                seed,
                command,
                seconds,
                calls,
                unknownOutcomes,
                unplannedExits,
                newKeys,
                faults,
                newUndecided,
                mishaps,
                newViolations);
    }

    public int faultCount() {
        return faults.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The report for people. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(store)
                .append(": ")
                .append(seconds)
                .append(" s, ")
                .append(calls)
                .append(" calls, ")
                .append(unknownOutcomes)
                .append(" unknown outcomes, ")
                .append(faultCount())
                .append(" faults, ")
                .append(unplannedExits)
                .append(" unplanned exits, ")
                .append(keys)
                .append(" keys judged, ")
                .append(undecided.size())
                .append(" undecided, ")
                .append(violations.size())
                .append(" violations\n");
        faults.forEach((kind, count) ->
                text.append("  fault ").append(kind).append(": ").append(count).append('\n'));
        undecided.forEach(key -> text.append("  undecided: ").append(key).append('\n'));
        mishaps.forEach(mishap -> text.append("  mishap: ").append(mishap).append('\n'));
        violations.stream()
                .limit(SHOWN_MAX)
                .forEach(violation -> text.append("  ").append(violation).append('\n'));
        if (violations.size() > SHOWN_MAX) {
            text.append("  and ").append(violations.size() - SHOWN_MAX).append(" more in report.json\n");
        }
        return text.append("  again: ").append(command).append('\n').toString();
    }

    public String json() {
        return "{\n  \"store\": " + quoted(store) + ",\n  \"seed\": " + seed + ",\n  \"command\": " + quoted(command)
                + ",\n  \"seconds\": " + seconds + ",\n  \"calls\": " + calls + ",\n  \"unknownOutcomes\": "
                + unknownOutcomes + ",\n  \"unplannedExits\": " + unplannedExits + ",\n  \"keys\": " + keys
                + ",\n  \"faults\": {"
                + faults.entrySet().stream()
                        .map(fault -> quoted(fault.getKey()) + ": " + fault.getValue())
                        .collect(Collectors.joining(", "))
                + "},\n  \"undecided\": " + list(undecided) + ",\n  \"mishaps\": " + list(mishaps)
                + ",\n  \"violations\": ["
                + violations.stream().map(ChaosReport::json).collect(Collectors.joining(",\n    "))
                + "]\n}\n";
    }

    private static String json(ChaosViolation violation) {
        return "{\"judge\": " + quoted(violation.judge()) + ", \"key\": " + quoted(violation.key()) + ", \"rule\": "
                + quoted(violation.rule()) + ", \"lines\": " + list(violation.lines()) + "}";
    }

    private static String list(List<String> texts) {
        return texts.stream().map(ChaosReport::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.codePoints().forEach(point -> {
            if (point == '"' || point == '\\') {
                json.append('\\').appendCodePoint(point);
            } else if (point < ' ') {
                json.append(String.format("\\u%04x", point));
            } else {
                json.appendCodePoint(point);
            }
        });
        return json.append('"').toString();
    }
}
