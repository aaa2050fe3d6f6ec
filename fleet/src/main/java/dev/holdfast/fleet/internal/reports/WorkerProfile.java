package dev.holdfast.fleet.internal.reports;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.internal.units.UnitPlacement;
import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The facts about a worker that strategies use. They are a part of its report.
 *
 * @param capacity the maximum number of units that it takes
 * @param labels its labels, which do not change while it is joined
 * @param load its load as it measured it, in a unit of its own; empty if it measures none
 */
public record WorkerProfile(int capacity, Map<String, String> labels, OptionalDouble load) {
    private static final String CAPACITY = "capacity";
    private static final String LOAD = "load";

    public WorkerProfile {
        labels = Map.copyOf(labels);
    }

    /** Returns whether the attributes contain a report of a worker, of any version. */
    public static boolean isIn(Attributes report) {
        return report.get(CAPACITY).isPresent();
    }

    /** Older planners ignore labels and load. A worker without them writes the same report as before. */
    public Attributes addTo(Attributes report) {
        Attributes added = UnitPlacement.withLabels(report.with(CAPACITY, capacity), labels);
        return load.isPresent() ? added.with(LOAD, AttributeValue.of(BigDecimal.valueOf(load.getAsDouble()))) : added;
    }

    public static WorkerProfile of(Attributes report) {
        return new WorkerProfile(
                report.number(CAPACITY).map(Number::intValue).orElse(Integer.MAX_VALUE),
                UnitPlacement.workerLabels(report),
                report.number(LOAD)
                        .map(load -> OptionalDouble.of(load.doubleValue()))
                        .orElse(OptionalDouble.empty()));
    }

    public WorkerProfile withLoad(OptionalDouble newLoad) {
        return new WorkerProfile(capacity, labels, newLoad);
    }
}
