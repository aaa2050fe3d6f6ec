package dev.holdfast.judges.witness;

import dev.holdfast.judges.CallOp;
import dev.holdfast.judges.HistoryCall;
import dev.holdfast.judges.JudgedViolation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * At most one holder at a time: no client relies on a lease when a later grant of its key has been made.
 *
 * <p>A {@code believe} that is true shows that its client relied on the fence at one moment between its two stamps, so
 * not before its call stamp. Any answer that shows a larger fence of the key proves that the later grant was made before
 * that answer. If that answer precedes the call stamp of the belief, both were true at once. An eviction by force is
 * exempt if it may have happened between the grant and the evidence.
 *
 * <p>A write is no evidence of belief: a process may be stopped between its check and its write. The fence protects the
 * resource from such a write.
 */
public final class ExclusionRule implements WitnessRule {
    @Override
    public List<JudgedViolation> check(KeyRecord record) {
        List<JudgedViolation> violations = new ArrayList<>();
        for (HistoryCall grant : record.grants()) {
            HistoryCall belief = lastBelief(record, fence(grant));
            HistoryCall evidence = belief == null ? null : evidenceAbove(record, fence(grant), belief);
            if (belief != null
                    && evidence != null
                    && !record.mayHaveHappened(CallOp.EVICT, grant.start(), evidence.end())) {
                violations.add(record.violation("two holders at once", grant, evidence, belief));
            }
        }
        return violations;
    }

    private static long fence(HistoryCall grant) {
        Long fence = grant.shownFence();
        return fence == null ? 0 : fence;
    }

    private static @Nullable HistoryCall lastBelief(KeyRecord record, long fence) {
        return record.answered(CallOp.BELIEVE, "true")
                .filter(call -> call.call().number("fence") == fence)
                .reduce((left, right) -> right.start() > left.start() ? right : left)
                .orElse(null);
    }

    /** The first answer before {@code belief} that shows a larger fence. */
    private static @Nullable HistoryCall evidenceAbove(KeyRecord record, long fence, HistoryCall belief) {
        return record.calls().stream()
                .filter(call -> call.end() < belief.start() && shows(call) > fence)
                .reduce((left, right) -> right.end() < left.end() ? right : left)
                .orElse(null);
    }

    private static long shows(HistoryCall call) {
        if (call.is(CallOp.BELIEVE, "true")) {
            return call.call().number("fence");
        }
        Long fence = call.shownFence();
        return fence == null ? Long.MIN_VALUE : fence;
    }
}
