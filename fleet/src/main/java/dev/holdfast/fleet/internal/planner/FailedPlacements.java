package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.FleetOptions;
import java.util.HashMap;
import java.util.Map;

/**
 * The record of units that failed on a worker, which are kept away from that worker for a while. The back-off grows
 * with every failure in a row. The record of a unit is dropped when it has not failed again for the longest back-off.
 */
final class FailedPlacements {
    private final FleetOptions options;
    private final Map<String, Failing> units = new HashMap<>();

    FailedPlacements(FleetOptions options) {
        this.options = options;
    }

    private static final class Failing {
        private final Map<String, Long> untilNanos = new HashMap<>();
        private int failures;
        private long dropNanos;
    }

    void recordFailure(String unit, String worker, long nowNanos) {
        Failing failing = units.computeIfAbsent(unit, it -> new Failing());
        failing.failures++;
        long backoff = options.backoff(failing.failures).toNanos();
        failing.untilNanos.put(worker, nowNanos + backoff);
        failing.dropNanos = nowNanos + backoff + options.backoffMax().toNanos();
    }

    void dropExpired(long nowNanos) {
        units.values().removeIf(failing -> nowNanos - failing.dropNanos >= 0);
    }

    boolean isEmpty() {
        return units.isEmpty();
    }

    boolean mayHave(String worker, String unit, long nowNanos) {
        Failing failing = units.isEmpty() ? null : units.get(unit);
        Long until = failing == null ? null : failing.untilNanos.get(worker);
        return until == null || nowNanos - until >= 0;
    }
}
