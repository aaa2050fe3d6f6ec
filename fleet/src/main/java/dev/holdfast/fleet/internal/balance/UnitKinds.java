package dev.holdfast.fleet.internal.balance;

import dev.holdfast.fleet.FleetSituation;
import dev.holdfast.fleet.LabelConditions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

/**
 * The units of a fleet by kind. Units of one kind have the same conditions, group and weight, so any of them can take the
 * place of any other. There are few kinds even if there are many units, so the steps of a plan work on kinds.
 */
final class UnitKinds {
    private final int[] kindOf;
    private final List<UnitKind> kinds = new ArrayList<>();
    private final List<List<UnitKind>> kindsOfGroup = new ArrayList<>();

    /**
     * One kind of units.
     *
     * @param suitable the workers that take units and meet all required conditions
     * @param preference by worker, the number of preferred conditions that it meets; empty if there are none
     * @param candidates the suitable workers, most preferred first; empty if there are no preferred conditions
     */
    record UnitKind(
            int number, int group, BitSet suitable, List<Integer> preference, List<Integer> candidates, double weight) {
        int preference(int worker) {
            return preference.isEmpty() ? 0 : preference.get(worker);
        }

        boolean isSuitable(int worker) {
            return suitable.get(worker);
        }
    }

    /** @param conditions the number of an {@link Eligibility} */
    private record KindKey(int conditions, String group, double weight) {}

    private record Eligibility(BitSet suitable, List<Integer> preference, List<Integer> candidates) {}

    /** The conditions of units, numbered. Many units share one object, so it is found by identity first. */
    private static final class ConditionNumbers {
        private final IdentityHashMap<LabelConditions, IdentityHashMap<LabelConditions, Integer>> byIdentity =
                new IdentityHashMap<>();
        private final Map<List<LabelConditions>, Integer> byValue = new HashMap<>();
        private final List<Eligibility> all = new ArrayList<>();

        int of(FleetSituation situation, int unit) {
            LabelConditions requires = situation.requires(unit);
            LabelConditions prefers = situation.prefers(unit);
            IdentityHashMap<LabelConditions, Integer> known =
                    byIdentity.computeIfAbsent(requires, it -> new IdentityHashMap<>());
            Integer number = known.get(prefers);
            if (number == null) {
                number = byValue.computeIfAbsent(List.of(requires, prefers), it -> {
                    all.add(eligibility(situation, requires, prefers));
                    return all.size() - 1;
                });
                known.put(prefers, number);
            }
            return number;
        }
    }

    private UnitKinds(FleetSituation situation, IntFunction<String> groupOf, IntToDoubleFunction weightOf) {
        this.kindOf = new int[situation.units()];
        Map<KindKey, Integer> numbers = new HashMap<>();
        Map<String, Integer> groups = new HashMap<>();
        ConditionNumbers conditions = new ConditionNumbers();
        for (int unit = 0; unit < kindOf.length; unit++) {
            KindKey key =
                    new KindKey(conditions.of(situation, unit), groupOf.apply(unit), weightOf.applyAsDouble(unit));
            kindOf[unit] = numbers.computeIfAbsent(key, it -> {
                int group = groups.computeIfAbsent(key.group, name -> {
                    kindsOfGroup.add(new ArrayList<>());
                    return kindsOfGroup.size() - 1;
                });
                Eligibility eligibility = conditions.all.get(key.conditions);
                UnitKind kind = new UnitKind(
                        kinds.size(),
                        group,
                        eligibility.suitable,
                        eligibility.preference,
                        eligibility.candidates,
                        key.weight);
                kinds.add(kind);
                kindsOfGroup.get(group).add(kind);
                return kind.number;
            });
        }
    }

    /** Returns kinds for a plan by count, in which all units are of one group. */
    static UnitKinds byCount(FleetSituation situation) {
        return new UnitKinds(situation, unit -> "", unit -> 1);
    }

    /** Returns kinds for a plan that spreads the units of each group. */
    static UnitKinds byGroup(FleetSituation situation) {
        return new UnitKinds(situation, situation::group, unit -> 1);
    }

    /** Returns kinds for a plan by weight. */
    static UnitKinds byWeight(FleetSituation situation) {
        return new UnitKinds(situation, unit -> "", situation::weight);
    }

    private static Eligibility eligibility(
            FleetSituation situation, LabelConditions requires, LabelConditions prefers) {
        BitSet suitable = new BitSet(situation.workers());
        List<Integer> preference = new ArrayList<>();
        for (int worker = 0; worker < situation.workers(); worker++) {
            Map<String, String> labels = situation.labels(worker);
            suitable.set(worker, situation.capacity(worker) > 0 && requires.areMetBy(labels));
            if (!prefers.isEmpty()) {
                preference.add(prefers.countMetBy(labels));
            }
        }
        List<Integer> candidates = preference.isEmpty()
                ? List.of()
                : suitable.stream()
                        .boxed()
                        .sorted((a, b) -> preference.get(b) - preference.get(a))
                        .toList();
        return new Eligibility(suitable, preference, candidates);
    }

    /** Returns whether labels matter to any unit. */
    static boolean haveConditions(FleetSituation situation) {
        for (int unit = 0; unit < situation.units(); unit++) {
            if (!situation.requires(unit).isEmpty() || !situation.prefers(unit).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    UnitKind of(int unit) {
        return kinds.get(kindOf[unit]);
    }

    UnitKind kind(int number) {
        return kinds.get(number);
    }

    List<UnitKind> all() {
        return kinds;
    }

    int groups() {
        return kindsOfGroup.size();
    }

    List<UnitKind> ofGroup(int group) {
        return kindsOfGroup.get(group);
    }
}
