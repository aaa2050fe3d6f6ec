package dev.holdfast.fleet.internal.reports;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.fleet.internal.units.WorkerVersions;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The report of a worker. It is stored on the worker's anchor, which the planner reads anyway.
 *
 * @param applied the revision of the plan that the worker follows
 * @param held the number of units that it works on
 * @param waiting the number of further units that were assigned to it and that it waits for
 * @param profile its capacity, labels and load
 * @param done assigned units that are done
 * @param failed assigned units that it has released for now because they failed
 */
public record WorkerReport(
        PlanRevision applied,
        int held,
        int waiting,
        WorkerProfile profile,
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

    /** Returns the report without its load, for a comparison of all else. */
    public WorkerReport withoutLoad() {
        return profile.load().isEmpty()
                ? this
                : new WorkerReport(
                        applied, held, waiting, profile.withLoad(OptionalDouble.empty()), leaving, done, failed);
    }

    public AttributePatch toPatch() {
        return AttributePatch.replaceWith(profile.addTo(WorkerVersions.mark(applied.toAttributes()))
                .with("held", held)
                .with("waiting", waiting)
                .with("leaving", leaving)
                .with(NOTICE, true)
                .with("done", UnitAttributes.names(done))
                .with("failed", UnitAttributes.names(failed)));
    }

    /** Returns true also if there is no report yet: a worker of any version starts without one. */
    public static boolean givesNotice(Attributes attributes) {
        return !WorkerProfile.isIn(attributes) || attributes.bool(NOTICE).orElse(false);
    }

    public static WorkerReport of(Attributes attributes) {
        return new WorkerReport(
                PlanRevision.of(attributes),
                (int) UnitAttributes.number(attributes, "held"),
                (int) UnitAttributes.number(attributes, "waiting"),
                WorkerProfile.of(attributes),
                attributes.bool("leaving").orElse(false),
                UnitAttributes.names(attributes, "done"),
                UnitAttributes.names(attributes, "failed"));
    }
}
