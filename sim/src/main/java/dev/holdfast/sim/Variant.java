package dev.holdfast.sim;

import dev.holdfast.Leases;
import dev.holdfast.fleet.Strategy;
import dev.holdfast.internal.engine.StorePort;
import dev.holdfast.internal.rules.RuleBook;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimRuntime;
import dev.holdfast.sim.world.SimStore;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import java.time.Duration;

/** What is simulated. As it stands, that is the real thing; tests plant bugs here to see that they are caught. */
public interface Variant {
    /** The code as it is. */
    Variant REAL = new Variant() {};

    default RuleBook rules(Duration step) {
        return RuleBook.of(step);
    }

    default LeaseStore store(LeaseStore store) {
        return store;
    }

    default StorePort port(StorePort port, SimStore store) {
        return port;
    }

    /** The client of a fleet's worker. */
    default Leases leases(Leases leases) {
        return leases;
    }

    /** How a fleet spreads its units. */
    default Strategy strategy() {
        return Strategy.byCount();
    }

    default Runtime runtime(SimProcess process) {
        return new SimRuntime(process);
    }
}
