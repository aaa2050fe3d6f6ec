package dev.holdfast.sim.check;

import dev.holdfast.Key;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;

/**
 * A call of the API by a simulated process.
 *
 * @param id marks what the call writes, so that it is known again in the store
 * @param limit how long it may wait for a grant, by the process's own ticker
 */
public record SimulatedCall(
        long id, String name, SimProcess process, Key key, long begunNanos, long begunTicker, Duration limit) {
    /** The name of the calls that find out whether keys can be had after all has healed. */
    public static final String PROBE = "probe";

    boolean isProbe() {
        return name.equals(PROBE);
    }

    @Override
    public String toString() {
        return name + "#" + id + " of " + key + " by " + process.name();
    }
}
