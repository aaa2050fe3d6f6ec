package dev.holdfast.fleet.internal.units;

import dev.holdfast.Holder;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.UnitStatus;
import dev.holdfast.fleet.internal.planner.UnitInfo;
import dev.holdfast.fleet.internal.worker.UnplannedUnits;

/** The conversion of lease statuses to the units that users see. */
public final class UnitView {
    private UnitView() {}

    public static boolean isUnit(LeaseStatus status, boolean planned) {
        return planned ? UnitInfo.isUnit(status) : !UnplannedUnits.isDeleted(status);
    }

    public static UnitStatus of(LeaseStatus status) {
        return new UnitStatus(
                status.key().name(),
                status.state(),
                status.holder().map(Holder::name),
                status.fence(),
                UnitAttributes.shown(status.attributes()),
                status.attributes().bool(UnitAttributes.DELETING).orElse(false));
    }
}
