package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import java.util.List;
import java.util.Map;

/**
 * What a worker says of itself, on its anchor, where the planner looks anyway.
 *
 * @param applied the plan that it follows
 * @param held how many units it works on
 * @param waiting how many more it was given, and is waiting for
 * @param capacity the most units that it takes
 * @param done units that it was given and that are done
 * @param failed units that it was given, and has given up for now
 */
public record WorkerReport(
        PlanRevision applied,
        int held,
        int waiting,
        int capacity,
        boolean leaving,
        List<String> done,
        List<String> failed) {
    /** Names of a list in one report; the rest comes with the next, when the planner has dealt with these. */
    public static final int NAMES_MAX = 50;

    /** Two such lists are well below what the attributes of an entry may be. */
    public static final int NAMES_BYTES_MAX = 16 * 1024;

    /** In every report of a version that gives notice when it joins. */
    private static final String NOTICE = "notice";

    public WorkerReport {
        done = List.copyOf(done);
        failed = List.copyOf(failed);
    }

    public AttributePatch toPatch() {
        return AttributePatch.replaceWith(Attributes.of(Map.of(
                "fence",
                AttributeValue.of(applied.fence()),
                "number",
                AttributeValue.of(applied.number()),
                "held",
                AttributeValue.of(held),
                "waiting",
                AttributeValue.of(waiting),
                "capacity",
                AttributeValue.of(capacity),
                "leaving",
                AttributeValue.of(leaving),
                NOTICE,
                AttributeValue.of(true),
                "done",
                UnitAttributes.names(done),
                "failed",
                UnitAttributes.names(failed))));
    }

    /** True also if there is no report yet: a worker of any version begins without one. */
    static boolean isOfOneThatGivesNotice(Attributes attributes) {
        return attributes.get("capacity").isEmpty() || attributes.bool(NOTICE).orElse(false);
    }

    static WorkerReport of(Attributes attributes) {
        return new WorkerReport(
                new PlanRevision(
                        UnitAttributes.number(attributes, "fence"), UnitAttributes.number(attributes, "number")),
                (int) UnitAttributes.number(attributes, "held"),
                (int) UnitAttributes.number(attributes, "waiting"),
                attributes.number("capacity").map(Number::intValue).orElse(Integer.MAX_VALUE),
                attributes.bool("leaving").orElse(false),
                UnitAttributes.names(attributes, "done"),
                UnitAttributes.names(attributes, "failed"));
    }
}
