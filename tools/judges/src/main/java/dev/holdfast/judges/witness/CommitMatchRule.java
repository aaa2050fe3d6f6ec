package dev.holdfast.judges.witness;

import dev.holdfast.judges.CallOp;
import dev.holdfast.judges.HistoryCall;
import dev.holdfast.judges.HistoryLine;
import dev.holdfast.judges.JudgedViolation;
import dev.holdfast.judges.WitnessLine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Every acknowledged change is in the witness exactly once, an unknown one at most once, a rejected or failed one never.
 *
 * <p>A commit belongs to a call by the number of the call, if the witness notes it. Otherwise it belongs to a call of the
 * same client with the same fence, and, if the answer shows them, the same values before and after.
 */
public final class CommitMatchRule implements WitnessRule {
    @Override
    public List<JudgedViolation> check(KeyRecord record) {
        List<JudgedViolation> violations = new ArrayList<>();
        List<WitnessLine> left = new ArrayList<>(record.commits());
        List<HistoryCall> changes = record.calls().stream()
                .filter(call -> call.op() == CallOp.WRITE || call.op() == CallOp.WORK)
                .toList();
        changes.stream().filter(call -> call.out().equals("ok")).forEach(call -> {
            if (!takeOne(left, commit -> isOf(call, commit) && hasValuesOf(call, commit))) {
                violations.add(record.violation("an acknowledged change is missing", call));
            }
        });
        changes.stream().filter(HistoryCall::isUnknown).forEach(call -> takeOne(left, commit -> isOf(call, commit)));
        left.forEach(commit ->
                violations.add(record.violation("a change without a call, of a refused call, or made twice", commit)));
        return violations;
    }

    private static boolean takeOne(List<WitnessLine> left, Predicate<WitnessLine> wanted) {
        for (int i = 0; i < left.size(); i++) {
            if (wanted.test(left.get(i))) {
                left.remove(i);
                return true;
            }
        }
        return false;
    }

    private static boolean isOf(HistoryCall call, WitnessLine commit) {
        Long number = commit.call();
        return commit.client().equals(call.client())
                && commit.fence() == call.call().number("fence")
                && (commit.kind() == WitnessLine.Kind.WRITE) == (call.op() == CallOp.WRITE)
                && (number == null || number == call.call().call());
    }

    private static boolean hasValuesOf(HistoryCall call, WitnessLine commit) {
        HistoryLine answer = call.answer();
        return call.op() != CallOp.WRITE
                || (answer != null
                        && commit.before().equals(answer.field("before"))
                        && commit.after().equals(answer.field("after")));
    }
}
