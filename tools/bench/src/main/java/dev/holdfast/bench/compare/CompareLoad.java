package dev.holdfast.bench.compare;

import java.util.List;

/** A load that every opponent gets in turn. */
interface CompareLoad {
    /** The number and the name, for the report. */
    String title();

    List<LoadCell> cells();

    /** Whether the load makes sense for this opponent. */
    default boolean suits(Opponent opponent) {
        return opponent.isLock();
    }

    /** Starts and warms up the processes of an opponent; they stay until the load is over. */
    LoadStand open(Contestant contestant) throws Exception;
}
