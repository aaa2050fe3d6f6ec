package dev.holdfast.judges.linear;

import dev.holdfast.judges.HistoryCall;
import dev.holdfast.judges.HistoryLine;
import dev.holdfast.judges.JudgedViolation;
import dev.holdfast.judges.linear.SearchResult.Impossible;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The judge of one key. It shrinks a contradiction before it reports it: first to the shortest beginning of the history
 * that has it, then to the calls that it needs.
 */
public final class KeyJudge {
    /** A contradiction that is not shrunk to the last line is still one, so this is small. */
    private static final int SHRINKING_LIMIT = 2_000;

    private final int limit;

    /** @param limit how many beginnings of orders a search tries at most */
    public KeyJudge(int limit) {
        this.limit = limit;
    }

    public KeyVerdict judge(KeyTimeline timeline) {
        SearchResult result = search(timeline.steps());
        if (result instanceof Impossible) {
            return new KeyVerdict.Violated(violation(timeline));
        }
        return result instanceof SearchResult.Ordered ? new KeyVerdict.Linearizable() : new KeyVerdict.Undecided();
    }

    private SearchResult search(List<LeaseOp> steps) {
        return new OrderSearch(steps, limit).run();
    }

    private boolean isStillImpossible(List<LeaseOp> steps) {
        return new OrderSearch(steps, Math.min(limit, SHRINKING_LIMIT)).run() instanceof Impossible;
    }

    private JudgedViolation violation(KeyTimeline timeline) {
        List<HistoryCall> answered = timeline.calls().stream()
                .filter(call -> call.answer() != null)
                .sorted(Comparator.comparingLong(HistoryCall::end))
                .toList();
        HistoryCall last = firstContradiction(timeline, answered);
        List<LeaseOp> needed = needed(timeline.asOf(last.end()).steps());
        String rule = "no order of the calls explains " + last.call().field("op") + " -> " + last.out();
        return new JudgedViolation(timeline.key(), rule, lines(needed));
    }

    /** The first answer after which no order exists. A part of a possible history is possible, so halving finds it. */
    private HistoryCall firstContradiction(KeyTimeline timeline, List<HistoryCall> answered) {
        int possible = 0;
        int impossible = answered.size();
        while (possible + 1 < impossible) {
            int middle = (possible + impossible) >>> 1;
            long stamp = answered.get(middle - 1).end();
            if (search(timeline.asOf(stamp).steps()) instanceof Impossible) {
                impossible = middle;
            } else {
                possible = middle;
            }
        }
        return answered.get(impossible - 1);
    }

    /**
     * The steps that the contradiction needs. It does not need an observation if it remains without it. It does not
     * need a change if it remains even though the change may not have happened.
     */
    private List<LeaseOp> needed(List<LeaseOp> steps) {
        List<LeaseOp> left = new ArrayList<>(steps);
        for (LeaseOp observation : steps.stream().filter(LeaseOp::isObservation).toList()) {
            List<LeaseOp> fewer = new ArrayList<>(left);
            fewer.remove(observation);
            if (isStillImpossible(fewer)) {
                left = fewer;
            }
        }
        for (int i = 0; i < left.size(); i++) {
            LeaseOp certain = left.get(i);
            if (!certain.optional() && !certain.isObservation()) {
                left.set(i, certain.weakened());
                if (!isStillImpossible(left)) {
                    left.set(i, certain);
                }
            }
        }
        return left.stream().filter(step -> !step.optional()).toList();
    }

    private static List<String> lines(List<LeaseOp> steps) {
        Set<HistoryCall> calls = new LinkedHashSet<>();
        steps.forEach(step -> calls.add(step.call()));
        return calls.stream()
                .flatMap(call -> Stream.of(call.call(), call.answer()))
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(HistoryLine::stamp))
                .map(HistoryLine::text)
                .toList();
    }
}
