package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.UnitStatus;
import dev.holdfast.model.Holder;

/** Units as users see them. */
public final class UnitView {
    private UnitView() {}

    public static boolean isUnit(LeaseStatus status, boolean planned) {
        return planned ? UnitInfo.isUnit(status) : !LooseUnits.isDeleted(status);
    }

    public static UnitStatus of(LeaseStatus status) {
        return new UnitStatus(
                status.key().name(),
                status.state(),
                status.holder().map(Holder::name),
                status.fence(),
                Marks.shown(status.attributes()),
                status.attributes().bool(Marks.DELETING).orElse(false));
    }
}
