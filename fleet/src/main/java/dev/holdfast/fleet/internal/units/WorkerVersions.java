package dev.holdfast.fleet.internal.units;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.OldWorkersException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The versions that workers state in their reports, as one number that grows with each feature that planners and workers
 * must both know. A worker of a version before these numbers states none, which counts as 0.
 */
public final class WorkerVersions {
    /** Pause, drain, freeze and moves on request; labels that units require. */
    public static final int CONTROL_AND_LABELS = 1;

    /** The version of this code. */
    public static final int CURRENT = CONTROL_AND_LABELS;

    /** The attribute of a worker's anchor. */
    private static final String SPEAKS = "speaks";

    private WorkerVersions() {}

    /** Returns a report with the version of this code. */
    public static Attributes mark(Attributes report) {
        return report.with(SPEAKS, CURRENT);
    }

    /** Returns the version of the worker that wrote the report. */
    private static int of(Attributes report) {
        return (int) UnitAttributes.number(report, SPEAKS);
    }

    /**
     * Returns whether the worker with these attributes on its anchor knows a feature. Returns true also if there is no
     * report yet: a worker of any version starts without one.
     */
    public static boolean isKnown(int version, Attributes anchor) {
        return anchor.get("capacity").isEmpty() || of(anchor) >= version;
    }

    /**
     * Checks that every joined worker knows a feature. The result holds for the moment of the check only: a worker of an
     * older version may join later.
     *
     * @return a stage that fails with {@link OldWorkersException} if a worker does not know the feature
     */
    static CompletionStage<Void> requireAll(AsyncLeases leases, FleetKeyLayout layout, int version) {
        List<String> old = new ArrayList<>();
        return PagedKeyListing.over(leases, layout.liveAnchors(), anchor -> {
                    if (anchor.isHeld() && !isKnown(version, anchor.attributes())) {
                        old.add(anchor.key().name());
                    }
                })
                .thenRun(() -> {
                    if (!old.isEmpty()) {
                        throw new OldWorkersException(layout.fleet(), old);
                    }
                });
    }
}
