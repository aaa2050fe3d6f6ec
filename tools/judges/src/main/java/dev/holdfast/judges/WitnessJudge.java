package dev.holdfast.judges;

import dev.holdfast.judges.witness.CommitMatchRule;
import dev.holdfast.judges.witness.ExclusionRule;
import dev.holdfast.judges.witness.GrantFenceRule;
import dev.holdfast.judges.witness.KeyRecord;
import dev.holdfast.judges.witness.ProcessOnceRule;
import dev.holdfast.judges.witness.ResourceFenceRule;
import dev.holdfast.judges.witness.UpdateChainRule;
import dev.holdfast.judges.witness.WitnessRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The judge of the protected resource: it compares the history of the clients with the commits of the resource. */
public final class WitnessJudge {
    private static final List<WitnessRule> ALWAYS = List.of(
            new ExclusionRule(),
            new GrantFenceRule(),
            new UpdateChainRule(),
            new CommitMatchRule(),
            new ProcessOnceRule());

    private WitnessJudge() {}

    /** @param guarded whether the resource rejects old fences; if not, fences in the witness may go down */
    public static JudgeReport judge(ChaosHistory history, WitnessLog witness, boolean guarded) {
        List<WitnessRule> rules = new ArrayList<>(ALWAYS);
        if (guarded) {
            rules.add(new ResourceFenceRule());
        }
        List<HistoryCall> calls = history.calls().stream()
                .filter(call -> call.op() != CallOp.LIST)
                .toList();
        List<KeyRecord> records = records(calls, witness);
        List<JudgedViolation> violations = records.stream()
                .flatMap(record -> rules.stream().flatMap(rule -> rule.check(record).stream()))
                .toList();
        long unknown = calls.stream().filter(HistoryCall::isUnknown).count();
        return new JudgeReport(calls.size(), unknown, records.size(), 0, List.of(), violations);
    }

    private static List<KeyRecord> records(List<HistoryCall> calls, WitnessLog witness) {
        Map<String, List<HistoryCall>> called = new LinkedHashMap<>();
        Map<String, List<WitnessLine>> committed = new LinkedHashMap<>();
        calls.forEach(call ->
                called.computeIfAbsent(call.key(), key -> new ArrayList<>()).add(call));
        witness.lines()
                .forEach(line -> committed
                        .computeIfAbsent(line.key(), key -> new ArrayList<>())
                        .add(line));
        Set<String> keys = new LinkedHashSet<>(called.keySet());
        keys.addAll(committed.keySet());
        return keys.stream()
                .map(key ->
                        new KeyRecord(key, called.getOrDefault(key, List.of()), committed.getOrDefault(key, List.of())))
                .toList();
    }
}
