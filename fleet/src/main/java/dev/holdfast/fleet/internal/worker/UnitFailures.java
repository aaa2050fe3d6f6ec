package dev.holdfast.fleet.internal.worker;

/** How often a unit has failed here in a row, and until when it rests for that. */
final class UnitFailures {
    private final UnitSlotServices unitSlotServices;
    private int failures;
    private long restsUntilNanos;

    UnitFailures(UnitSlotServices unitSlotServices) {
        this.unitSlotServices = unitSlotServices;
    }

    void failed() {
        failures++;
        restsUntilNanos =
                unitSlotServices.nanos() + unitSlotServices.rest(failures).toNanos();
    }

    void recovered() {
        failures = 0;
    }

    boolean isAny() {
        return failures > 0;
    }

    boolean isRested() {
        return failures == 0 || unitSlotServices.nanos() - restsUntilNanos >= 0;
    }
}
