package dev.holdfast.internal.holding;

import dev.holdfast.rules.ValidityRules.Tenure;
import dev.holdfast.store.HostEnvironment;

/**
 * The times at which a lease is renewed: after a third of its term, so that two more attempts fit in. Random offsets
 * spread leases that were granted together, so that they are not all renewed at the same moment.
 */
final class RenewalSchedule {
    private static final int PER_TERM = 3;
    /** Retries after a failure other than an unreachable store, which the pipeline retries by itself. */
    private static final int RETRIES_PER_TERM = 10;

    private static final double SPREAD = 0.1;

    private final boolean auto;
    private final double spread;
    private boolean underWay;
    private boolean storeInTrouble;
    private long failures;

    RenewalSchedule(boolean auto, HostEnvironment hostEnvironment) {
        this.auto = auto;
        this.spread = auto ? 1 - SPREAD * hostEnvironment.random() : 1;
    }

    boolean isAuto() {
        return auto;
    }

    synchronized boolean isDue(long nowNanos, Tenure tenure) {
        return auto && !underWay && nowNanos - dueAt(tenure) >= 0;
    }

    /** When the next renewal is due; {@code later} if one is under way, or the lease is not renewed automatically. */
    synchronized long dueNanos(Tenure tenure, long later) {
        return auto && !underWay ? dueAt(tenure) : later;
    }

    static long third(Tenure tenure) {
        return Math.max(1, tenure.term().toNanos() / PER_TERM);
    }

    private long dueAt(Tenure tenure) {
        long term = tenure.term().toNanos();
        long first = (long) (spread * term) / PER_TERM;
        return tenure.start().nanos() + first + failures * (term / RETRIES_PER_TERM);
    }

    synchronized void begin() {
        underWay = true;
        storeInTrouble = true;
    }

    synchronized void succeeded() {
        underWay = false;
        failures = 0;
        storeInTrouble = false;
    }

    synchronized void failed(boolean byStore) {
        underWay = false;
        failures++;
        storeInTrouble = byStore;
    }

    /** Whether the last renewal got no answer, or an error of the store. */
    synchronized boolean isStoreInTrouble() {
        return storeInTrouble;
    }
}
