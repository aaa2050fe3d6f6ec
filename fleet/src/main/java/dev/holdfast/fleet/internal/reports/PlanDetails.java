package dev.holdfast.fleet.internal.reports;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.UnitOutlook.FailureRest;
import dev.holdfast.fleet.UnplacedReason;
import dev.holdfast.support.ArgumentCheck;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of the planner's report that explains the plan: why units have no worker, and which units failed. The counts
 * are exact. The names are limited, because the report is written in every round.
 *
 * @param orders the fence of the mark of the orders that the plan follows; 0 if there have been none
 * @param paused the number of paused units
 * @param waiting the number of units that wait for others to be done
 * @param reasons the number of unplaced units by reason
 * @param missing the labels that no worker has
 * @param unplaced some unplaced units, by name
 * @param resting some units that failed, by name
 */
public record PlanDetails(
        long orders,
        long paused,
        long waiting,
        Map<UnplacedReason, Long> reasons,
        MissingLabels missing,
        Map<String, UnplacedReason> unplaced,
        Map<String, FailureRest> resting) {
    /** The maximum number of names in each map: more than a person reads. */
    static final int NAMES_MAX = 20;

    /** Keeps the whole report within a few kilobytes, because some stores charge by size. */
    static final int NAMES_BYTES_MAX = 1024;

    public static final PlanDetails NONE = new PlanDetails(0, 0, 0, Map.of(), MissingLabels.NONE, Map.of(), Map.of());

    /** Returns as many of the entries, from the first on, as a report may contain. */
    public static <T> Map<String, T> limited(Map<String, T> all) {
        Map<String, T> kept = new LinkedHashMap<>();
        int bytes = 0;
        for (Map.Entry<String, T> entry : all.entrySet()) {
            bytes += ArgumentCheck.utf8Length(entry.getKey());
            if (kept.size() == NAMES_MAX || bytes > NAMES_BYTES_MAX) {
                break;
            }
            kept.put(entry.getKey(), entry.getValue());
        }
        return kept;
    }

    public Attributes addTo(Attributes report) {
        List<AttributeValue> counts = new ArrayList<>();
        reasons.forEach((reason, count) -> {
            counts.add(AttributeValue.of(reason.name()));
            counts.add(AttributeValue.of(count));
        });
        List<AttributeValue> names = new ArrayList<>();
        unplaced.forEach((unit, reason) -> {
            names.add(AttributeValue.of(unit));
            names.add(AttributeValue.of(reason.name()));
        });
        List<AttributeValue> rests = new ArrayList<>();
        resting.forEach((unit, rest) -> {
            rests.add(AttributeValue.of(unit));
            rests.add(AttributeValue.of(rest.worker()));
            rests.add(AttributeValue.of(rest.failures()));
            rests.add(AttributeValue.of(rest.until().toEpochMilli()));
        });
        Attributes with = missing.addTo(report)
                .with("orders", orders)
                .with("paused", paused)
                .with("waiting", waiting);
        with = counts.isEmpty() ? with : with.with("reasons", new AttributeValue.ListOf(counts));
        with = names.isEmpty() ? with : with.with("unplacedUnits", new AttributeValue.ListOf(names));
        return rests.isEmpty() ? with : with.with("resting", new AttributeValue.ListOf(rests));
    }

    public static PlanDetails of(Attributes attributes) {
        Map<UnplacedReason, Long> reasons = new LinkedHashMap<>();
        List<AttributeValue> counts = list(attributes, "reasons");
        for (int i = 0; i + 1 < counts.size(); i += 2) {
            long count = number(counts.get(i + 1));
            reason(counts.get(i)).ifPresent(reason -> reasons.put(reason, count));
        }
        Map<String, UnplacedReason> unplaced = new LinkedHashMap<>();
        List<AttributeValue> names = list(attributes, "unplacedUnits");
        for (int i = 0; i + 1 < names.size(); i += 2) {
            String unit = text(names.get(i));
            reason(names.get(i + 1)).ifPresent(reason -> unplaced.put(unit, reason));
        }
        Map<String, FailureRest> resting = new LinkedHashMap<>();
        List<AttributeValue> rests = list(attributes, "resting");
        for (int i = 0; i + 3 < rests.size(); i += 4) {
            resting.put(
                    text(rests.get(i)),
                    new FailureRest(
                            text(rests.get(i + 1)),
                            (int) number(rests.get(i + 2)),
                            Instant.ofEpochMilli(number(rests.get(i + 3)))));
        }
        return new PlanDetails(
                count(attributes, "orders"),
                count(attributes, "paused"),
                count(attributes, "waiting"),
                reasons,
                MissingLabels.of(attributes),
                unplaced,
                resting);
    }

    private static long count(Attributes attributes, String name) {
        return attributes.number(name).map(Number::longValue).orElse(0L);
    }

    private static List<AttributeValue> list(Attributes attributes, String name) {
        return attributes.get(name).orElse(null) instanceof AttributeValue.ListOf list ? list.values() : List.of();
    }

    private static String text(AttributeValue value) {
        return value instanceof AttributeValue.Text text ? text.value() : "";
    }

    private static long number(AttributeValue value) {
        return value instanceof AttributeValue.Number number ? number.value().longValue() : 0;
    }

    /** Empty for a reason of a later version. */
    private static Optional<UnplacedReason> reason(AttributeValue value) {
        return List.of(UnplacedReason.values()).stream()
                .filter(reason -> reason.name().equals(text(value)))
                .findFirst();
    }
}
