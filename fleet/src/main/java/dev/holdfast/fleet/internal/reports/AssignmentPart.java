package dev.holdfast.fleet.internal.reports;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.support.ArgumentCheck;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of a worker's assignment, with some of its units. The first part also records the revision of each further
 * part. Parts are written one by one, so a reader uses these revisions to detect parts that do not belong together.
 *
 * @param others the revisions of the further parts; only in the first part
 * @param standby whether the worker is a standby planner; only in the first part
 */
public record AssignmentPart(PlanRevision revision, List<String> units, List<PlanRevision> others, boolean standby) {
    /**
     * The maximum number of units per entry: a round number, well below the attribute limit for names of usual length.
     */
    static final int UNITS_MAX = 500;

    private static final int BYTES_MAX = 40 * 1024;
    private static final int NAME_OVERHEAD_BYTES = 8;

    public static final AssignmentPart NONE = new AssignmentPart(PlanRevision.NONE, List.of(), List.of(), false);

    /** Splits a list of units into parts that each fit an entry. Returns at least one part, which may be empty. */
    public static List<List<String>> split(List<String> units) {
        List<List<String>> parts = new ArrayList<>();
        List<String> current = new ArrayList<>();
        int bytes = 0;
        for (String unit : units) {
            int size = ArgumentCheck.utf8Length(unit) + NAME_OVERHEAD_BYTES;
            if (current.size() == UNITS_MAX || bytes + size > BYTES_MAX) {
                parts.add(current);
                current = new ArrayList<>();
                bytes = 0;
            }
            current.add(unit);
            bytes += size;
        }
        parts.add(current);
        return parts;
    }

    public Attributes toAttributes() {
        List<AttributeValue> flat = new ArrayList<>();
        others.forEach(other -> {
            flat.add(AttributeValue.of(other.fence()));
            flat.add(AttributeValue.of(other.number()));
        });
        return revision.toAttributes()
                .with("standby", standby)
                .with("others", new AttributeValue.ListOf(flat))
                .with("units", UnitAttributes.names(units));
    }

    public static AssignmentPart of(Attributes attributes) {
        List<PlanRevision> others = new ArrayList<>();
        if (attributes.get("others").orElse(null) instanceof AttributeValue.ListOf list) {
            for (int i = 0; i + 1 < list.values().size(); i += 2) {
                others.add(new PlanRevision(number(list, i), number(list, i + 1)));
            }
        }
        boolean standby = attributes.bool("standby").orElse(false);
        return new AssignmentPart(
                PlanRevision.of(attributes), UnitAttributes.names(attributes, "units"), others, standby);
    }

    private static long number(AttributeValue.ListOf list, int index) {
        return list.values().get(index) instanceof AttributeValue.Number number
                ? number.value().longValue()
                : 0;
    }
}
