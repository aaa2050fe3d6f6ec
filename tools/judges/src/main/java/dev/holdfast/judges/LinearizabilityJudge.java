package dev.holdfast.judges;

import dev.holdfast.judges.linear.KeyJudge;
import dev.holdfast.judges.linear.KeyTimeline;
import dev.holdfast.judges.linear.KeyVerdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The judge of linearizability: for each key, is there an order of its calls that a correct lease register could have
 * executed, each call at one moment between its two stamps? Keys are judged one by one, because a history is
 * linearizable if the history of each key is. Leases under an anchor depend on a second key, and are left out.
 */
public final class LinearizabilityJudge {
    /** Each tried beginning takes some hundred bytes, so this is less than a gigabyte. */
    private static final int LIMIT = 1_000_000;

    private LinearizabilityJudge() {}

    public static JudgeReport judge(ChaosHistory history) {
        return judge(history, LIMIT);
    }

    /** @param limit how many beginnings of orders the search for a key tries at most */
    static JudgeReport judge(ChaosHistory history, int limit) {
        Map<String, List<HistoryCall>> byKey = byKey(history);
        Set<String> anchored = anchored(history);
        long clockFault = firstClockFault(history);
        KeyJudge judge = new KeyJudge(limit);
        List<String> undecided = new ArrayList<>();
        List<JudgedViolation> violations = new ArrayList<>();
        byKey.keySet().removeAll(anchored);
        // A list may show keys of clients that keep no history: anchors, for example.
        byKey.values().removeIf(calls -> calls.stream().allMatch(call -> call.op() == CallOp.LIST));
        byKey.forEach((key, calls) -> {
            KeyVerdict verdict = judge.judge(new KeyTimeline(key, calls, clockFault));
            if (verdict instanceof KeyVerdict.Violated violated) {
                violations.add(violated.violation());
            } else if (verdict instanceof KeyVerdict.Undecided) {
                undecided.add(key);
            }
        });
        List<HistoryCall> judged = history.calls().stream()
                .filter(call -> !anchored.contains(call.key()))
                .toList();
        long unknown = judged.stream().filter(HistoryCall::isUnknown).count();
        return new JudgeReport(judged.size(), unknown, byKey.size(), anchored.size(), undecided, violations);
    }

    private static Set<String> anchored(ChaosHistory history) {
        return history.calls().stream()
                .filter(call -> call.call().optional("anchor") != null)
                .map(HistoryCall::key)
                .collect(Collectors.toSet());
    }

    /** The calls of each key. A list is a call of each key that it shows. */
    private static Map<String, List<HistoryCall>> byKey(ChaosHistory history) {
        Map<String, List<HistoryCall>> byKey = new LinkedHashMap<>();
        for (HistoryCall call : history.calls()) {
            if (call.op() != CallOp.LIST) {
                byKey.computeIfAbsent(call.key(), key -> new ArrayList<>()).add(call);
            } else if (call.out().equals("listed")) {
                ListedEntry.parse(Objects.requireNonNull(call.answer()).field("items"))
                        .forEach(entry -> byKey.computeIfAbsent(entry.key(), key -> new ArrayList<>())
                                .add(call));
            }
        }
        return byKey;
    }

    /** The first fault whose kind mentions a clock: from then on, a holder may report a loss before its term is over. */
    private static long firstClockFault(ChaosHistory history) {
        return history.faults().stream()
                .filter(line -> line.field("kind").toLowerCase(Locale.ROOT).contains("clock"))
                .mapToLong(HistoryLine::stamp)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
