package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.FleetOptions;
import java.util.HashMap;
import java.util.Map;

/**
 * Which units failed where, and so are kept from there for a while. With every failure in a row the while gets longer; it
 * is forgotten when the unit has not failed again for as long as a rest can be.
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
        private long forgetNanos;
    }

    void failed(String unit, String worker, long nowNanos) {
        Failing failing = units.computeIfAbsent(unit, it -> new Failing());
        failing.failures++;
        long rest = options.backoff(failing.failures).toNanos();
        failing.untilNanos.put(worker, nowNanos + rest);
        failing.forgetNanos = nowNanos + rest + options.backoffMax().toNanos();
    }

    void forgetOld(long nowNanos) {
        units.values().removeIf(failing -> nowNanos - failing.forgetNanos >= 0);
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
