package dev.holdfast.judges.witness;

import dev.holdfast.judges.JudgedViolation;
import dev.holdfast.judges.WitnessLine;
import java.util.ArrayList;
import java.util.List;

/** No update is lost: each write has read the value that the write before it left. */
public final class UpdateChainRule implements WitnessRule {
    @Override
    public List<JudgedViolation> check(KeyRecord record) {
        List<JudgedViolation> violations = new ArrayList<>();
        WitnessLine last = null;
        for (WitnessLine commit : record.commits()) {
            if (commit.kind() == WitnessLine.Kind.WRITE) {
                if (last != null && !commit.before().equals(last.after())) {
                    violations.add(record.violation("lost update", last, commit));
                }
                last = commit;
            }
        }
        return violations;
    }
}
