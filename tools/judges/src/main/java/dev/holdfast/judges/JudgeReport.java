package dev.holdfast.judges;

import java.util.List;

/**
 * The verdict of a judge.
 *
 * @param calls the calls that the judge looked at
 * @param unknownOutcomes the calls among them whose outcome is unknown
 * @param keys the keys that were judged, with the undecided ones
 * @param keysLeftOut the keys that this judge has no rules for: leases under an anchor
 * @param undecidedKeys the keys whose search exceeded its bound; they are not known to be fine
 */
public record JudgeReport(
        long calls,
        long unknownOutcomes,
        int keys,
        int keysLeftOut,
        List<String> undecidedKeys,
        List<JudgedViolation> violations) {
    public JudgeReport {
        undecidedKeys = List.copyOf(undecidedKeys);
        violations = List.copyOf(violations);
    }

    /** Whether every judged key was decided, and none has a violation. */
    public boolean isClean() {
        return undecidedKeys.isEmpty() && violations.isEmpty();
    }
}
