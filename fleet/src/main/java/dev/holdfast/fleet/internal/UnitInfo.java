package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.State;
import java.util.List;

/** What the planner knows of a unit. */
record UnitInfo(String name, double weight, List<String> after, boolean done, boolean deleting) {
    static UnitInfo of(LeaseStatus status) {
        Attributes attributes = status.attributes();
        return new UnitInfo(
                status.key().name(),
                Marks.weight(attributes),
                Marks.after(attributes),
                status.state() == State.DONE,
                attributes.bool(Marks.DELETING).orElse(false));
    }

    static boolean isUnit(LeaseStatus status) {
        return status.attributes().get(Marks.UNIT).isPresent();
    }

    UnitInfo finished() {
        return new UnitInfo(name, weight, after, true, deleting);
    }
}
