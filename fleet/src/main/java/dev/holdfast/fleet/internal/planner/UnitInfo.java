package dev.holdfast.fleet.internal.planner;

import dev.holdfast.Attributes;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import java.util.List;

/** The planner's record of a unit. */
public record UnitInfo(String name, double weight, List<String> after, boolean done, boolean deleting) {
    public static UnitInfo of(LeaseStatus status) {
        Attributes attributes = status.attributes();
        return new UnitInfo(
                status.key().name(),
                UnitAttributes.weight(attributes),
                UnitAttributes.after(attributes),
                status.state() == LeaseState.DONE,
                attributes.bool(UnitAttributes.DELETING).orElse(false));
    }

    public static boolean isUnit(LeaseStatus status) {
        return status.attributes().get(UnitAttributes.UNIT).isPresent();
    }

    public UnitInfo finished() {
        return new UnitInfo(name, weight, after, true, deleting);
    }
}
