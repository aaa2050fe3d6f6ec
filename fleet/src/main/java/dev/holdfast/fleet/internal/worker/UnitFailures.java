package dev.holdfast.fleet.internal.worker;

/** The number of failures in a row of a unit on this worker, and the end of its back-off. */
final class UnitFailures {
    private final UnitSlotServices unitSlotServices;
    private int failures;
    private long backoffUntilNanos;

    UnitFailures(UnitSlotServices unitSlotServices) {
        this.unitSlotServices = unitSlotServices;
    }

    void failed() {
        failures++;
        backoffUntilNanos =
                unitSlotServices.nanos() + unitSlotServices.backoff(failures).toNanos();
    }

    void recovered() {
        failures = 0;
    }

    boolean isAny() {
        return failures > 0;
    }

    boolean isBackoffOver() {
        return failures == 0 || unitSlotServices.nanos() - backoffUntilNanos >= 0;
    }
}
