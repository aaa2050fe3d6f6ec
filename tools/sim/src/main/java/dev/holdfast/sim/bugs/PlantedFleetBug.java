package dev.holdfast.sim.bugs;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.fleet.FleetScenarios;
import dev.holdfast.sim.world.SimEnvironment;
import dev.holdfast.sim.world.SimProcess;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Bugs that fleets have had, or could have. A bug that is not caught proves a gap in the checkers. */
public enum PlantedFleetBug implements SimulatedVariant {
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
    },

    A_NEW_PLANNER_DOES_NOT_READ_THE_ORDERS(FleetScenarios.PAUSED_UNITS) {
        @Override
        public Leases leases(Leases leases) {
            AtomicInteger listings = new AtomicInteger();
            Leases blind = withoutOrders(leases, key -> true);
            return Meddler.with(
                    leases,
                    (real, call, arguments) -> isListOfOrders(call, arguments) && listings.getAndIncrement() == 0
                            ? page(blind.async(), arguments)
                            : null);
        }
    },

    PAUSES_ARE_IGNORED(FleetScenarios.ORDERS_UNDER_CHAOS) {
        @Override
        public Leases leases(Leases leases) {
            return withoutOrders(leases, key -> key.namespace().endsWith("/paused"));
        }
    },

    A_FROZEN_FLEET_IS_BALANCED(FleetScenarios.FROZEN_FLEET) {
        @Override
        public Leases leases(Leases leases) {
            return withoutOrders(leases, key -> key.name().equals("freeze"));
        }
    },

    A_MOVED_UNIT_IS_MOVED_AWAY(FleetScenarios.FROZEN_FLEET) {
        @Override
        public Leases leases(Leases leases) {
            return withoutOrders(leases, key -> key.namespace().endsWith("/moves"));
        }
    },

    A_DRAIN_MOVES_ALL_UNITS_AT_ONCE(FleetScenarios.DRAINED_WORKERS) {
        @Override
        public FleetOptions options(FleetOptions options) {
            return options.maxMoves(1000);
        }
    },

    A_DRAINED_WORKER_STOPS_BEFORE_ANOTHER_CAN_BEGIN(FleetScenarios.DRAINED_WORKERS) {
        @Override
        public Leases leases(Leases leases) {
            return Meddler.with(leases, (real, call, arguments) -> {
                boolean isSheet =
                        call.equals("get") && ((Key) arguments[0]).namespace().equals("fleet/sim/assigned");
                return isSheet ? emptyIfDrained(real, (Key) arguments[0]) : null;
            });
        }
    },

    ORDERS_ARE_GIVEN_TO_OLD_WORKERS(FleetScenarios.OLD_AND_NEW_WORKERS) {
        @Override
        public Leases operator(Leases leases) {
            return Meddler.with(
                    leases,
                    (real, call, arguments) -> call.equals("list")
                                    && ((LeaseFilter) arguments[0]).prefix().equals(Key.anchorsOf("sim"))
                            ? page(real, arguments)
                                    .thenApply(page -> new AsyncLeases.StatusPage(List.of(), page.cursor()))
                            : null);
        }
    };

    private static boolean isListOfOrders(String call, Object[] arguments) {
        return call.equals("list") && ((LeaseFilter) arguments[0]).prefix().equals("fleet/sim/control");
    }

    private static CompletionStage<AsyncLeases.StatusPage> page(AsyncLeases leases, Object[] arguments) {
        return leases.list((LeaseFilter) arguments[0], (String) arguments[1], (int) arguments[2]);
    }

    /** A client that does not find some of the orders. */
    private static Leases withoutOrders(Leases leases, Predicate<Key> isHidden) {
        return Meddler.with(leases, (real, call, arguments) -> {
            return isListOfOrders(call, arguments)
                    ? page(real, arguments)
                            .thenApply(page -> new AsyncLeases.StatusPage(
                                    page.statuses().stream()
                                            .filter(status -> !isHidden.test(status.key()))
                                            .toList(),
                                    page.cursor()))
                    : null;
        });
    }

    /** The assignment of a worker, which seems to be empty if the worker is drained. */
    private static CompletionStage<Optional<LeaseStatus>> emptyIfDrained(AsyncLeases leases, Key sheet) {
        return leases.get(Key.of("fleet/sim/control/drained", sheet.name())).thenCompose(order -> {
            boolean isDrained = order.filter(
                            status -> status.attributes().bool("~control").orElse(false))
                    .isPresent();
            return leases.get(sheet).thenApply(found -> isDrained ? found.map(PlantedFleetBug::emptied) : found);
        });
    }

    private static LeaseStatus emptied(LeaseStatus sheet) {
        Attributes empty = sheet.attributes()
                .with("units", new AttributeValue.ListOf(List.of()))
                .with(
                        "number",
                        sheet.attributes()
                                        .number("number")
                                        .map(Number::longValue)
                                        .orElse(0L)
                                + 1);
        return new LeaseStatus(
                sheet.entry().withAttributes(sheet.entry().version(), empty), sheet.state(), sheet.remaining());
    }

    private final FleetScenarios scenario;

    PlantedFleetBug(FleetScenarios scenario) {
        this.scenario = scenario;
    }

    @Override
    public boolean checksHistories() {
        return false;
    }

    /** The scenario that catches the bug. */
    public FleetScenarios scenario() {
        return scenario;
    }
}
