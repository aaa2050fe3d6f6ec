package dev.holdfast.fleet.internal.control;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.PagedKeyListing;
import dev.holdfast.fleet.internal.units.WorkerVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The support of workers for orders. Each worker states it in its report, because any worker may become the planner. */
public final class ControlSupport {
    private ControlSupport() {}

    /**
     * Returns whether the worker with these attributes on its anchor follows orders. Returns true also if there is no
     * report yet: a worker of any version starts without one.
     */
    public static boolean isSupported(Attributes anchor) {
        return WorkerVersions.isKnown(WorkerVersions.CONTROL_AND_LABELS, anchor);
    }

    /** The live workers of a fleet. */
    public record LiveWorkers(List<String> all, List<String> old) {}

    /** Lists the live workers, and those that ignore orders. */
    static CompletionStage<LiveWorkers> workers(AsyncLeases leases, FleetKeyLayout layout) {
        List<String> all = new ArrayList<>();
        List<String> old = new ArrayList<>();
        return PagedKeyListing.over(leases, layout.liveAnchors(), anchor -> {
                    all.add(anchor.key().name());
                    if (!isSupported(anchor.attributes())) {
                        old.add(anchor.key().name());
                    }
                })
                .thenApply(nothing -> new LiveWorkers(all, old));
    }
}
