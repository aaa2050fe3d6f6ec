package dev.holdfast.judges.witness;

import dev.holdfast.judges.HistoryCall;
import dev.holdfast.judges.JudgedViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Fences grow: no two grants share one, and a grant that began after the answer of another has the larger one. */
public final class GrantFenceRule implements WitnessRule {
    @Override
    public List<JudgedViolation> check(KeyRecord record) {
        List<JudgedViolation> violations = new ArrayList<>();
        List<HistoryCall> grants = record.grants();
        for (int i = 0; i < grants.size(); i++) {
            for (int j = i + 1; j < grants.size(); j++) {
                HistoryCall first = grants.get(i);
                HistoryCall second = grants.get(j);
                if (isBroken(first, second) || isBroken(second, first)) {
                    violations.add(record.violation("fences of grants do not grow", first, second));
                }
            }
        }
        return violations;
    }

    private static boolean isBroken(HistoryCall first, HistoryCall second) {
        if (first.token().equals(second.token())) {
            return false; // The same grant, requested twice.
        }
        long before = Objects.requireNonNull(first.shownFence());
        long after = Objects.requireNonNull(second.shownFence());
        return before == after || (first.end() < second.start() && before > after);
    }
}
