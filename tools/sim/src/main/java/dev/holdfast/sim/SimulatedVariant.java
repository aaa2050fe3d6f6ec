package dev.holdfast.sim;

import dev.holdfast.Leases;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.internal.pipeline.AsyncStore;
import dev.holdfast.internal.rules.RuleSet;
import dev.holdfast.sim.world.SimEnvironment;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimStore;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import java.time.Duration;

/** What is simulated. As it stands, that is the real thing; tests plant bugs here to see that they are caught. */
public interface SimulatedVariant {
    /** The code as it is. */
    SimulatedVariant REAL = new SimulatedVariant() {};

    default RuleSet rules(Duration step) {
        return RuleSet.of(step);
    }

    default LeaseStore store(LeaseStore store) {
        return store;
    }

    default AsyncStore port(AsyncStore port, SimStore store) {
        return port;
    }

    /** The client of a fleet's worker. */
    default Leases leases(Leases leases) {
        return leases;
    }

    /** How a fleet spreads its units. */
    default AssignmentStrategy strategy() {
        return AssignmentStrategy.byCount();
    }

    default HostEnvironment runtime(SimProcess process) {
        return new SimEnvironment(process);
    }
}
