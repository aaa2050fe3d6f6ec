package dev.holdfast.fleet.internal.units;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.OlderWorkersException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

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
    public static int of(Attributes report) {
        return (int) UnitAttributes.number(report, SPEAKS);
    }

    /**
     * Checks that every joined worker knows a feature. A worker without a report has only just joined. Its version is
     * unknown, so it counts as an older one.
     *
     * <p>The result holds for the moment of the check only: a worker of an older version may join later.
     *
     * @return a stage that fails with {@link OlderWorkersException} if a worker does not know the feature
     */
    public static CompletionStage<Void> requireAll(
            AsyncLeases leases, FleetKeyLayout layout, int version, String feature) {
        List<String> older = new CopyOnWriteArrayList<>();
        return PagedKeyListing.over(leases, layout.liveAnchors(), anchor -> {
                    if (anchor.isHeld() && of(anchor.attributes()) < version) {
                        older.add(anchor.key().name());
                    }
                })
                .thenRun(() -> {
                    if (!older.isEmpty()) {
                        throw new OlderWorkersException(layout.fleet(), feature, older);
                    }
                });
    }
}
