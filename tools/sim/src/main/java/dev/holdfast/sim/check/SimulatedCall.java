package dev.holdfast.sim.check;

import dev.holdfast.Key;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;

/**
 * An API call of a simulated process.
 *
 * @param id marks the entry that the call writes, so that checkers recognize it in the store
 * @param limit how long the call may wait for a grant, by the process's own ticker
 */
public record SimulatedCall(
        long id, String name, SimProcess process, Key key, long begunNanos, long begunTicker, Duration limit) {
    /** The name of the calls that check whether keys are available after all faults have healed. */
    public static final String PROBE = "probe";

    boolean isProbe() {
        return name.equals(PROBE);
    }

    @Override
    public String toString() {
        return name + "#" + id + " of " + key + " by " + process.name();
    }
}
