package dev.holdfast.fleet.internal;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The units on their way from one living worker to another. They have arrived when the other says that it waits for none. */
final class Moves {
    private final Map<String, Arrivals> underWay = new HashMap<>();

    private record Arrivals(int units, Revision since) {}

    void begin(String worker, int units, Revision revision) {
        underWay.merge(worker, new Arrivals(units, revision), (a, b) -> new Arrivals(a.units + b.units, b.since));
    }

    /** Drops those that have arrived, or whose worker is gone. */
    void settle(Watch watch) {
        underWay.entrySet().removeIf(entry -> hasSettled(watch.member(entry.getKey()), entry.getValue()));
    }

    private static boolean hasSettled(@Nullable Member member, Arrivals arrivals) {
        return member == null
                || (member.report().applied().compareTo(arrivals.since) >= 0
                        && member.report().waiting() == 0);
    }

    int count() {
        return underWay.values().stream().mapToInt(Arrivals::units).sum();
    }
}
