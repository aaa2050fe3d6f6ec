package dev.holdfast.fleet.internal.planner;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import java.util.List;

/**
 * The report of a worker. It is stored on the worker's anchor, which the planner reads anyway.
 *
 * @param applied the revision of the plan that the worker follows
 * @param held the number of units that it works on
 * @param waiting the number of further units that were assigned to it and that it waits for
 * @param capacity the maximum number of units that it takes
 * @param done assigned units that are done
 * @param failed assigned units that it has released for now because they failed
 */
public record WorkerReport(
        PlanRevision applied,
        int held,
        int waiting,
        int capacity,
        boolean leaving,
        List<String> done,
        List<String> failed) {
    /**
     * The maximum number of names per list. The rest follows in the next report, when the planner has processed these.
     */
    public static final int NAMES_MAX = 50;

    /** Two lists of this size are well below the limit for the attributes of an entry. */
    public static final int NAMES_BYTES_MAX = 16 * 1024;

    /** Present in every report of a version that sends a notice when it joins. */
    private static final String NOTICE = "notice";

    public WorkerReport {
        done = List.copyOf(done);
        failed = List.copyOf(failed);
    }

    public AttributePatch toPatch() {
        return AttributePatch.replaceWith(applied.toAttributes()
                .with("held", held)
                .with("waiting", waiting)
                .with("capacity", capacity)
                .with("leaving", leaving)
                .with(NOTICE, true)
                .with("done", UnitAttributes.names(done))
                .with("failed", UnitAttributes.names(failed)));
    }

    /** Returns true also if there is no report yet: a worker of any version starts without one. */
    static boolean givesNotice(Attributes attributes) {
        return attributes.get("capacity").isEmpty() || attributes.bool(NOTICE).orElse(false);
    }

    public static WorkerReport of(Attributes attributes) {
        return new WorkerReport(
                PlanRevision.of(attributes),
                (int) UnitAttributes.number(attributes, "held"),
                (int) UnitAttributes.number(attributes, "waiting"),
                attributes.number("capacity").map(Number::intValue).orElse(Integer.MAX_VALUE),
                attributes.bool("leaving").orElse(false),
                UnitAttributes.names(attributes, "done"),
                UnitAttributes.names(attributes, "failed"));
    }
}
