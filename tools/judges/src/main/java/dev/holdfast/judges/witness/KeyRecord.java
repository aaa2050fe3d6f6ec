package dev.holdfast.judges.witness;

import dev.holdfast.judges.CallOp;
import dev.holdfast.judges.HistoryCall;
import dev.holdfast.judges.JudgedViolation;
import dev.holdfast.judges.WitnessLine;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All that a run recorded about one key: the calls of clients, and the changes that the resource committed. */
public record KeyRecord(String key, List<HistoryCall> calls, List<WitnessLine> commits) {
    public KeyRecord {
        calls = List.copyOf(calls);
        commits = List.copyOf(commits);
    }

    Stream<HistoryCall> answered(CallOp op, String out) {
        return calls.stream().filter(call -> call.is(op, out));
    }

    List<HistoryCall> grants() {
        return answered(CallOp.ACQUIRE, "granted").toList();
    }

    /** Whether a call of this kind may have taken effect between the two stamps. */
    boolean mayHaveHappened(CallOp op, long from, long to) {
        return calls.stream()
                .filter(call -> call.op() == op)
                .filter(call -> call.isUnknown() || call.out().equals("ok"))
                .anyMatch(call -> call.start() <= to && call.latestEffect() >= from);
    }

    JudgedViolation violation(String rule, Object... evidence) {
        List<String> lines = new ArrayList<>();
        for (Object each : evidence) {
            if (each instanceof HistoryCall call) {
                lines.addAll(call.lines());
            } else if (each instanceof WitnessLine commit) {
                lines.add("witness " + commit.text());
            } else {
                throw new IllegalArgumentException("evidence: " + each + " (expected: a call or a commit)");
            }
        }
        return new JudgedViolation(key, rule, lines);
    }
}
