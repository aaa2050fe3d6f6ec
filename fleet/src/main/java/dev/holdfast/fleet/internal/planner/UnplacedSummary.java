package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetSituation;
import dev.holdfast.fleet.FleetStatus.UnplacedUnits;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.fleet.UnplacedReason;
import dev.holdfast.fleet.UnplacedReason.Cause;
import dev.holdfast.fleet.internal.units.UnitPlacement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The units without a worker, counted by reason. The planner publishes it in its report. */
final class UnplacedSummary {
    /** Keeps the report small. Beyond this number, units that miss different labels are counted together. */
    private static final int REASONS_MAX = 12;

    private UnplacedSummary() {}

    /**
     * Counts the units that a plan leaves without a worker.
     *
     * @param plan the worker of each unit
     */
    static List<UnplacedUnits> of(FleetSituation situation, int[] plan) {
        int[] counts = new int[situation.workers()];
        for (int worker : plan) {
            if (worker != AssignmentStrategy.UNASSIGNED) {
                counts[worker]++;
            }
        }
        Map<UnplacedReason, Long> found = new HashMap<>();
        Map<LabelConditions, UnplacedReason> sameForAll = new IdentityHashMap<>();
        for (int unit = 0; unit < plan.length; unit++) {
            if (plan[unit] == AssignmentStrategy.UNASSIGNED) {
                LabelConditions required = situation.requires(unit);
                UnplacedReason reason = sameForAll.get(required);
                if (reason == null) {
                    reason = UnplacedReason.in(situation, counts, unit);
                    boolean isOfUnit = reason.cause() == Cause.RESTING || reason.cause() == Cause.NOT_ASSIGNED;
                    if (!isOfUnit) {
                        sameForAll.put(required, reason);
                    }
                }
                found.merge(reason, 1L, Long::sum);
            }
        }
        return limited(found);
    }

    private static List<UnplacedUnits> limited(Map<UnplacedReason, Long> found) {
        if (found.size() > REASONS_MAX) {
            Map<UnplacedReason, Long> merged = new HashMap<>();
            found.forEach((reason, units) -> merged.merge(UnplacedReason.of(reason.cause()), units, Long::sum));
            return sorted(merged);
        }
        return sorted(found);
    }

    private static List<UnplacedUnits> sorted(Map<UnplacedReason, Long> found) {
        return found.entrySet().stream()
                .map(entry -> new UnplacedUnits(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong((UnplacedUnits units) -> -units.units())
                        .thenComparing(units -> units.reason().cause())
                        .thenComparing(units -> units.reason().missing().toString()))
                .toList();
    }

    static AttributeValue toAttribute(List<UnplacedUnits> summary) {
        List<AttributeValue> list = new ArrayList<>();
        summary.forEach(units -> {
            Map<String, AttributeValue> entry = new TreeMap<>();
            entry.put("cause", AttributeValue.of(units.reason().cause().name()));
            entry.put("units", AttributeValue.of(units.units()));
            if (!units.reason().missing().isEmpty()) {
                entry.put("labels", UnitPlacement.conditions(units.reason().missing()));
            }
            list.add(new AttributeValue.MapOf(entry));
        });
        return new AttributeValue.ListOf(list);
    }

    /** Returns the summary under a name. Omits causes that only a newer version knows. */
    static List<UnplacedUnits> of(Attributes attributes, String name) {
        if (!(attributes.get(name).orElse(null) instanceof AttributeValue.ListOf list)) {
            return List.of();
        }
        return list.values().stream()
                .flatMap(value -> value instanceof AttributeValue.MapOf map ? read(map).stream() : Stream.empty())
                .toList();
    }

    private static Optional<UnplacedUnits> read(AttributeValue.MapOf map) {
        Attributes entry = Attributes.of(map.entries());
        String cause = entry.text("cause").orElse("");
        long units = entry.number("units").map(Number::longValue).orElse(0L);
        return Stream.of(Cause.values())
                .filter(known -> known.name().equals(cause))
                .findFirst()
                .map(known ->
                        new UnplacedUnits(new UnplacedReason(known, UnitPlacement.conditions(entry, "labels")), units));
    }
}
