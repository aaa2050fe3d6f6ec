package dev.holdfast.fleet.internal.reports;

import dev.holdfast.Attributes;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import java.util.Comparator;

/**
 * The identity of a plan: the fence of its planner, which grows from planner to planner, and a number that grows with
 * each of its plans. A planner that was replaced and does not know it yet produces older revisions.
 */
public record PlanRevision(long fence, long number) implements Comparable<PlanRevision> {
    public static final PlanRevision NONE = new PlanRevision(0, 0);

    private static final Comparator<PlanRevision> ORDER =
            Comparator.comparingLong(PlanRevision::fence).thenComparingLong(PlanRevision::number);

    public static PlanRevision of(Attributes attributes) {
        return new PlanRevision(
                UnitAttributes.number(attributes, "fence"), UnitAttributes.number(attributes, "number"));
    }

    public Attributes toAttributes() {
        return Attributes.NONE.with("fence", fence).with("number", number);
    }

    @Override
    public int compareTo(PlanRevision other) {
        return ORDER.compare(this, other);
    }
}
