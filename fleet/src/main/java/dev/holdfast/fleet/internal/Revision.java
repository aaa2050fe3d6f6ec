package dev.holdfast.fleet.internal;

import java.util.Comparator;

/**
 * Which plan this is: the fence of the planner that made it, which grows from planner to planner, and a number that grows
 * with each of its plans. A planner that was replaced and does not know it yet makes older ones.
 */
record Revision(long fence, long number) implements Comparable<Revision> {
    static final Revision NONE = new Revision(0, 0);

    private static final Comparator<Revision> ORDER =
            Comparator.comparingLong(Revision::fence).thenComparingLong(Revision::number);

    @Override
    public int compareTo(Revision other) {
        return ORDER.compare(this, other);
    }
}
