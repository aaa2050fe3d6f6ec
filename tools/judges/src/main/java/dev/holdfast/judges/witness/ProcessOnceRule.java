package dev.holdfast.judges.witness;

import dev.holdfast.judges.CallOp;
import dev.holdfast.judges.HistoryCall;
import dev.holdfast.judges.JudgedViolation;
import java.util.ArrayList;
import java.util.List;

/**
 * Done is final: after an acknowledged done there is no work and no second done, until a reopen began.
 *
 * <p>The same token may repeat its done. Work that began before the done was acknowledged is allowed: it is the work that
 * was finished, or the work of a holder that lost its lease meanwhile.
 */
public final class ProcessOnceRule implements WitnessRule {
    @Override
    public List<JudgedViolation> check(KeyRecord record) {
        List<JudgedViolation> violations = new ArrayList<>();
        List<HistoryCall> finished = record.answered(CallOp.DONE, "ok").toList();
        for (int i = 0; i < finished.size(); i++) {
            HistoryCall done = finished.get(i);
            finished.subList(i + 1, finished.size()).stream()
                    .filter(second -> !second.token().equals(done.token()) && !isReopened(record, done, second))
                    .forEach(second -> violations.add(record.violation("done twice", done, second)));
            record.answered(CallOp.WORK, "ok")
                    .filter(work -> work.start() > done.end() && !isReopened(record, done, work))
                    .forEach(work -> violations.add(record.violation("work after done", done, work)));
        }
        return violations;
    }

    private static boolean isReopened(KeyRecord record, HistoryCall left, HistoryCall right) {
        return record.mayHaveHappened(
                CallOp.REOPEN, Math.min(left.start(), right.start()), Math.max(left.end(), right.end()));
    }
}
