package dev.holdfast.judges.witness;

import dev.holdfast.judges.JudgedViolation;
import dev.holdfast.judges.WitnessLine;
import java.util.ArrayList;
import java.util.List;

/** A guarded resource never accepts a fence below one that it has seen. */
public final class ResourceFenceRule implements WitnessRule {
    @Override
    public List<JudgedViolation> check(KeyRecord record) {
        List<JudgedViolation> violations = new ArrayList<>();
        WitnessLine highest = null;
        for (WitnessLine commit : record.commits()) {
            if (highest != null && commit.fence() < highest.fence()) {
                violations.add(record.violation("the fence at the resource went down", highest, commit));
            } else {
                highest = commit;
            }
        }
        return violations;
    }
}
