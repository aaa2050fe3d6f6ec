package dev.holdfast.sim.fleet;

import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.scenario.SimulationScenario;
import dev.holdfast.sim.world.SimProcess;
import java.time.Duration;
import java.util.List;

/** The scenarios of fleets. */
public enum FleetScenarios implements SimulationScenario {
    /** Every worker is restarted, one after another, like in a deployment. */
    ROLLING_DEPLOY {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            restartFrom(fleet, 0);
        }

        private void restartFrom(SimulatedFleet fleet, int worker) {
            if (worker < fleet.workers().size()) {
                Runnable next = () -> restartFrom(fleet, worker + 1);
                fleet.restart(
                        fleet.workers().get(worker),
                        () -> fleet.world().afterBetween(Duration.ofMillis(200), Duration.ofMillis(1500), next));
            }
        }
    },

    /** Half of the workers crash at once; they restart some time later, at the latest when all faults heal. */
    MASS_CRASH {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            fleet.world().afterBetween(Duration.ZERO, Duration.ofSeconds(2), () -> {
                for (SimProcess worker : fleet.workers()) {
                    if (fleet.world().chance(0.5)) {
                        fleet.chaos().crash(worker, fleet.world().between(SHORT, stormy));
                    }
                }
            });
        }
    },

    /** One worker crashes and restarts, again and again. */
    FLAPPING_WORKER {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            SimProcess worker = fleet.world().pick(fleet.workers());
            fleet.repeat(
                    stormy,
                    Duration.ofSeconds(1),
                    () -> fleet.chaos().crash(worker, fleet.world().between(SHORT, Duration.ofSeconds(1))));
        }
    },

    /** The planner crashes again and again; sometimes it is only paused or cut off, and then continues unaware. */
    PLANNER_KILLED {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            Duration leastPause = Duration.ofMillis(500);
            fleet.repeat(
                    stormy,
                    leastPause,
                    () -> fleet.planner().ifPresent(planner -> {
                        long length = fleet.world().between(leastPause, Duration.ofSeconds(5));
                        switch (fleet.world().random().nextInt(3)) {
                            case 0 -> planner.pause(length);
                            case 1 -> planner.cutOff(length);
                            default -> fleet.chaos().crash(planner, length);
                        }
                    }));
        }
    },

    /** The store responds late, and for a while not at all, while units are created and deleted. */
    SLOW_STORE {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            fleet.chaos().slowWeather();
            long outage = fleet.world().between(SHORT, Duration.ofSeconds(4));
            fleet.world()
                    .afterBetween(
                            SHORT, stormy.dividedBy(2), () -> fleet.chaos().outage(outage));
            fleet.create(List.of("late-0", "late-1", "unit-0"));
            fleet.world().after(Duration.ofSeconds(2).toNanos(), () -> fleet.delete("unit-1"));
        }
    },

    /** Half of the workers cannot reach the store for a while. */
    HALF_CUT_OFF {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            long length = fleet.world().between(SHORT, stormy);
            for (int i = 0; i < fleet.workers().size() / 2; i++) {
                fleet.workers().get(i).cutOff(length);
            }
        }
    },

    /** All kinds of faults at random. */
    FLEET_UNDER_CHAOS {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            fleet.chaos().unleash(fleet.world().nowNanos() + stormy.toNanos());
        }
    },

    /** All kinds of faults at random, without a planner: each worker takes and steals units itself. */
    WITHOUT_PLANNER {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            fleet.chaos().unleash(fleet.world().nowNanos() + stormy.toNanos());
        }
    },

    /** Units are paused and resumed, while the planner crashes, or is paused or cut off, again and again. */
    PAUSED_UNITS {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            fleet.check(new PausedUnits(fleet.orders()));
            RandomOrders orders = new RandomOrders(fleet);
            fleet.repeat(stormy, SHORT, orders::pauseOrResume);
            PLANNER_KILLED.strike(fleet, stormy);
        }
    },

    /** Workers are drained, one after another and sometimes all of them, without other faults. */
    DRAINED_WORKERS {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            fleet.check(new DrainedUnits(fleet.orders(), FEW_MOVES));
            RandomOrders orders = new RandomOrders(fleet);
            fleet.repeat(stormy, SHORT, orders::drainOrUndrain);
        }

        @Override
        FleetOptions options() {
            return SimulatedFleet.OPTIONS.maxMoves(FEW_MOVES);
        }
    },

    /** The fleet is frozen and thawed, while workers crash, and other orders are given. */
    FROZEN_FLEET {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            fleet.check(new FrozenUnits(fleet.orders()));
            RandomOrders orders = new RandomOrders(fleet);
            fleet.repeat(stormy, Duration.ofSeconds(2), orders::freezeOrThaw);
            fleet.repeat(stormy, Duration.ofSeconds(1), orders::moveOrCancel);
            fleet.repeat(stormy, Duration.ofSeconds(1), orders::drainOrUndrain);
            FLAPPING_WORKER.strike(fleet, stormy);
        }
    },

    /** All kinds of orders, and all kinds of faults, at random. */
    ORDERS_UNDER_CHAOS {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            fleet.check(new PausedUnits(fleet.orders()));
            fleet.repeat(stormy, SHORT, new RandomOrders(fleet)::any);
            FLEET_UNDER_CHAOS.strike(fleet, stormy);
        }
    },

    /** Workers of an older version join and leave, which ignore orders when they are the planner. */
    OLD_AND_NEW_WORKERS {
        @Override
        void strike(SimulatedFleet fleet, Duration stormy) {
            RandomOrders orders = new RandomOrders(fleet);
            fleet.check(new RefusedOrders(fleet.orders()));
            fleet.repeat(stormy, SHORT, orders::any);
            fleet.repeat(stormy.dividedBy(2), Duration.ofSeconds(1), () -> {
                SimProcess worker = fleet.world().pick(fleet.workers());
                fleet.setOld(worker, fleet.world().chance(0.5));
                fleet.restart(worker, () -> {});
            });
            fleet.world().after(stormy.multipliedBy(3).dividedBy(4).toNanos(), () -> {
                fleet.workers().forEach(worker -> {
                    fleet.setOld(worker, false);
                    fleet.restart(worker, () -> {});
                });
            });
        }
    };

    private static final int FEW_MOVES = 2;
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration STORMY = Duration.ofSeconds(10);

    @Override
    public void play(Simulation simulation) {
        int workers = 2 + simulation.world().random().nextInt(4);
        int units = simulation.world().random().nextInt(20);
        SimulatedFleet fleet = new SimulatedFleet(simulation, this != WITHOUT_PLANNER, workers, units, options());
        fleet.start();
        strike(fleet, STORMY);
        fleet.playOut(STORMY);
    }

    FleetOptions options() {
        return SimulatedFleet.OPTIONS;
    }

    /** Starts the faults of this scenario, which are healed after {@code stormy}. */
    abstract void strike(SimulatedFleet fleet, Duration stormy);
}
