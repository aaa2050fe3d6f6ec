package dev.holdfast.sim;

import dev.holdfast.AcquireOptions;
import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.sim.fleet.FleetScenarios;
import dev.holdfast.sim.world.SimEnvironment;
import dev.holdfast.sim.world.SimProcess;
import java.util.concurrent.CompletableFuture;

/** Bugs that fleets have had, or could have. A bug that is not caught proves a gap in the checkers. */
enum PlantedFleetBug implements SimulatedVariant {
    UNITS_ARE_TAKEN_BY_FORCE_INSTEAD_OF_WAITED_FOR(FleetScenarios.FLAPPING_WORKER) {
        @Override
        public Leases leases(Leases leases) {
            return Meddler.with(
                    leases,
                    (real, call, arguments) -> call.equals("acquire")
                            ? real.evict((Key) arguments[0], "a bug")
                                    .thenCompose(evicted ->
                                            real.tryAcquire((Key) arguments[0], (AcquireOptions) arguments[1]))
                                    .toCompletableFuture()
                            : null);
        }
    },

    NOTHING_IS_EVER_REBALANCED(FleetScenarios.MASS_CRASH) {
        @Override
        public AssignmentStrategy strategy() {
            return fleetSituation -> {
                int[] plan = new int[fleetSituation.units()];
                for (int unit = 0; unit < plan.length; unit++) {
                    int owner = fleetSituation.owner(unit);
                    plan[unit] = owner != AssignmentStrategy.UNASSIGNED || fleetSituation.workers() == 0 ? owner : 0;
                }
                return plan;
            };
        }
    },

    UNITS_ARE_MOVED_FOR_NOTHING(FleetScenarios.HALF_CUT_OFF) {
        @Override
        public AssignmentStrategy strategy() {
            return fleetSituation -> {
                int[] plan = new int[fleetSituation.units()];
                for (int unit = 0; unit < plan.length; unit++) {
                    plan[unit] = fleetSituation.workers() == 0
                            ? AssignmentStrategy.UNASSIGNED
                            : Math.floorMod(fleetSituation.owner(unit) + 1, fleetSituation.workers());
                }
                return plan;
            };
        }
    },

    WORKERS_ARE_NOT_NOTIFIED_THAT_THEIR_ANCHOR_IS_LOST(FleetScenarios.HALF_CUT_OFF) {
        @Override
        public SimEnvironment runtime(SimProcess process) {
            return new SimEnvironment(process) {
                @Override
                public void execute(Runnable callback) {}
            };
        }
    },

    RELEASES_ARE_DROPPED(FleetScenarios.FLEET_UNDER_CHAOS) {
        @Override
        public Leases leases(Leases leases) {
            return Meddler.with(
                    leases,
                    (real, call, arguments) -> call.equals("release") ? CompletableFuture.completedFuture(true) : null);
        }
    },

    WORKERS_JOIN_WITHOUT_NOTICE(FleetScenarios.FLAPPING_WORKER) {
        @Override
        public Leases leases(Leases leases) {
            return Meddler.with(
                    leases,
                    (real, call, arguments) ->
                            call.equals("tryAcquire") && arguments[0].equals(Key.of("fleet/sim", "workers"))
                                    ? CompletableFuture.failedFuture(new IllegalStateException("a bug"))
                                    : null);
        }
    },

    WORKERS_NEVER_STEAL_UNITS(FleetScenarios.WITHOUT_PLANNER) {
        @Override
        public Leases leases(Leases leases) {
            return Meddler.with(
                    leases,
                    (real, call, arguments) -> call.equals("evict")
                            ? CompletableFuture.completedFuture(new EditResult.Unchanged())
                            : null);
        }
    },

    FORMER_WORKERS_ARE_NOT_NOTIFIED_OF_A_THEFT(FleetScenarios.WITHOUT_PLANNER) {
        @Override
        public SimEnvironment runtime(SimProcess process) {
            return new SimEnvironment(process) {
                @Override
                public void execute(Runnable callback) {}
            };
        }
    };

    private final FleetScenarios scenario;

    PlantedFleetBug(FleetScenarios scenario) {
        this.scenario = scenario;
    }

    /** The scenario that catches the bug. */
    FleetScenarios scenario() {
        return scenario;
    }
}
