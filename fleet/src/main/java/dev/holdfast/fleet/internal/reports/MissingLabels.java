package dev.holdfast.fleet.internal.reports;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.fleet.internal.units.UnitPlacement;
import dev.holdfast.support.ArgumentCheck;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The labels that units require and that no worker has, with the number of units for each, in the planner's report. The
 * labels with the most units come first.
 */
public record MissingLabels(Map<LabelConditions, Long> units) {
    public static final MissingLabels NONE = new MissingLabels(Map.of());

    /** Keeps the report small, with the next limit. The count of all such units is in the report anyway. */
    private static final int CONDITIONS_MAX = 8;

    private static final int BYTES_MAX = 1024;

    private static final String ATTRIBUTE = "missingLabels";

    public static MissingLabels of(Map<LabelConditions, Long> all) {
        Map<LabelConditions, Long> kept = new LinkedHashMap<>();
        List<Map.Entry<LabelConditions, Long>> sorted = all.entrySet().stream()
                .sorted(Map.Entry.<LabelConditions, Long>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().toString()))
                .limit(CONDITIONS_MAX)
                .toList();
        int bytes = 0;
        for (Map.Entry<LabelConditions, Long> entry : sorted) {
            int size = ArgumentCheck.utf8Length(entry.getKey().toString());
            if (bytes + size <= BYTES_MAX) {
                kept.put(entry.getKey(), entry.getValue());
                bytes += size;
            }
        }
        return new MissingLabels(kept);
    }

    public Attributes addTo(Attributes report) {
        List<AttributeValue> flat = new ArrayList<>();
        units.forEach((conditions, count) -> {
            flat.add(UnitPlacement.conditions(conditions));
            flat.add(AttributeValue.of(count));
        });
        return flat.isEmpty() ? report : report.with(ATTRIBUTE, new AttributeValue.ListOf(flat));
    }

    public static MissingLabels of(Attributes report) {
        Map<LabelConditions, Long> found = new LinkedHashMap<>();
        if (report.get(ATTRIBUTE).orElse(null) instanceof AttributeValue.ListOf list) {
            for (int i = 0; i + 1 < list.values().size(); i += 2) {
                if (list.values().get(i + 1) instanceof AttributeValue.Number count) {
                    found.put(
                            UnitPlacement.conditions(list.values().get(i)),
                            count.value().longValue());
                }
            }
        }
        return new MissingLabels(found);
    }
}
