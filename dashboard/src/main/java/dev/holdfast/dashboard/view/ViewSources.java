package dev.holdfast.dashboard.view;

import dev.holdfast.dashboard.activity.ActivityRecorder;
import dev.holdfast.dashboard.live.ViewSource;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.operations.ServerVitals;

/** The sources of all views by their names. */
public record ViewSources(ServedLeases served, ActivityRecorder recorder, ServerVitals vitals) {
    /** @throws RuntimeException if a parameter is wrong, or the caller may not see the view */
    public ViewSource of(ViewRequest request) {
        return switch (request.view()) {
            case "overview" -> new OverviewSource(served, recorder, vitals, request.readable());
            case "leases" -> new LeasesSource(served, request);
            case "key" -> new KeySource(served, request);
            case "fleets" -> new FleetsSource(served, request.readable());
            case "fleet" -> new FleetSource(served, request);
            default -> new ContentionSource(served, recorder.waits(), request.readable());
        };
    }
}
