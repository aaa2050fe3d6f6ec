package dev.holdfast.sim.scenario;

import dev.holdfast.Key;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.world.SimMachineClock;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A scenario: processes that use leases while faults happen. It runs once per seed. */
public interface Scenario {
    /** The name of the scenario in reports. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Sets up processes, and runs the simulation to its end. */
    void play(Simulation simulation);

    static List<Key> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Key.of("sim", "key-" + i))
                .toList();
    }

    /** A clock that is wrong by up to an hour. */
    static SimMachineClock wrongClock(Simulation simulation) {
        return simulation.clock(Duration.ofSeconds(simulation.world().random().nextInt(7200) - 3600));
    }

    /** A random element of a list. */
    static <T> T pick(Simulation simulation, List<T> list) {
        return list.get(simulation.world().random().nextInt(list.size()));
    }
}
