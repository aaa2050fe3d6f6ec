package dev.holdfast.sim;

import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.rules.DecisionRules;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.TransactionalDone;
import dev.holdfast.sim.world.SimEnvironment;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.LeaseStore;
import java.time.Duration;
import java.util.Map;

/** The code under simulation: the real code by default. Tests plant bugs here to prove that the checkers catch them. */
public interface SimulatedVariant {
    /** The real code. */
    SimulatedVariant REAL = new SimulatedVariant() {};

    default RuleSet rules(Duration step) {
        return RuleSet.of(step);
    }

    /** Whether histories are checked. A bug elsewhere must be caught by the checker of its own invariant. */
    default boolean checksHistories() {
        return true;
    }

    default LeaseStore store(LeaseStore store) {
        return store;
    }

    default AsyncStore port(AsyncStore port) {
        return port;
    }

    /** The mark of a key in a transaction. */
    default TransactionalDone transactionalDone(LeaseService service, Lease lease, DecisionRules rules) {
        return new TransactionalDone(service, lease, rules);
    }

    /** The client of a fleet worker. */
    default Leases leases(Leases leases) {
        return leases;
    }

    /** The client of the operator that gives orders to a fleet. */
    default Leases operator(Leases leases) {
        return leases;
    }

    /** The assignment strategy of a fleet. */
    default AssignmentStrategy strategy() {
        return AssignmentStrategy.byCount();
    }

    /** The assignment strategy of a fleet with labels. */
    default AssignmentStrategy labelledStrategy(AssignmentStrategy strategy) {
        return strategy;
    }

    /** The labels that a worker states. */
    default Map<String, String> labels(Map<String, String> labels) {
        return labels;
    }

    /** The options of a fleet worker. */
    default FleetOptions options(FleetOptions options) {
        return options;
    }

    default SimEnvironment runtime(SimProcess process) {
        return new SimEnvironment(process);
    }
}
