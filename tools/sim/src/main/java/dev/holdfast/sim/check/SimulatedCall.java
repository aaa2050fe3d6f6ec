package dev.holdfast.sim.check;

import dev.holdfast.Key;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;

/**
 * An API call of a simulated process.
 *
 * @param id marks the entry that the call writes, so that checkers recognize it in the store
 * @param life the life of the process that made the call
 * @param limit how long the call may wait for a grant, by the process's own ticker
 */
public record SimulatedCall(
        long id,
        String name,
        SimProcess process,
        long life,
        Key key,
        long begunNanos,
        long begunTicker,
        Duration limit) {
    /** The name of the calls that check whether keys are available after all faults have healed. */
    public static final String PROBE = "probe";

    public static SimulatedCall begin(long id, String name, SimProcess process, Key key, Duration limit) {
        return new SimulatedCall(
                id,
                name,
                process,
                process.life(),
                key,
                process.world().nowNanos(),
                process.clock().ticker(),
                limit);
    }

    boolean isProbe() {
        return name.equals(PROBE);
    }

    /** Whether the process has not crashed since the call. */
    boolean isOfThisLife() {
        return process.life() == life;
    }

    @Override
    public String toString() {
        return name + "#" + id + " of " + key + " by " + process.name();
    }
}
