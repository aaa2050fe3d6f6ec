package dev.holdfast.sim.scenario;

import dev.holdfast.Key;
import dev.holdfast.sim.Simulation;
import java.util.List;
import java.util.stream.IntStream;

/** A scenario: processes that use leases while faults happen. It runs once per seed. */
public interface SimulationScenario {
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
}
