package dev.holdfast.sim.world;

import dev.holdfast.sim.world.SimNetwork.Weather;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A source of random faults, which it heals at a given time. */
public final class FaultInjector {
    private static final Duration LEAST_CALM = Duration.ofMillis(200);
    private static final Duration MOST_CALM = Duration.ofMillis(2500);
    private static final Duration SHORT = Duration.ofMillis(100);
    /** Longer than the longest term of any scenario. */
    private static final Duration LONG = Duration.ofSeconds(8);

    private static final List<String> KINDS =
            List.of("crash", "pause", "sleep or step back", "cut off", "cut off", "step forward", "outage");

    private final SimWorld world;
    private final SimNetwork network;
    private final SimStore store;
    private final List<SimProcess> processes;
    private final Consumer<String> fault;
    private final boolean machinesSleep;
    private boolean healed;

    public FaultInjector(
            SimWorld world, SimNetwork network, SimStore store, List<SimProcess> processes, Consumer<String> fault) {
        this.world = world;
        this.network = network;
        this.store = store;
        this.processes = processes;
        this.fault = fault;
        this.machinesSleep = world.chance(0.6);
    }

    /** Starts random faults, and heals everything at {@code healNanos}. */
    public void unleash(long healNanos) {
        healAt(healNanos);
        badWeather();
        planNext();
    }

    /** Starts no faults, but heals everything at {@code healNanos}. */
    public void healAt(long healNanos) {
        world.after(healNanos - world.nowNanos(), this::heal);
    }

    public void badWeather() {
        network.setWeather(weather());
    }

    /** Makes nearly every message slow from now on. */
    public void slowWeather() {
        network.setWeather(new Weather(0, 0, 0, 0.95));
    }

    private Weather weather() {
        // Some runs are nearly calm: their timing is exact, so they reveal errors of a few milliseconds.
        return switch (world.random().nextInt(4)) {
            case 0 -> new Weather(0, 0, 0, 0.1);
            case 1 -> new Weather(0.02, 0.01, 0.005, 0.3);
            case 2 -> new Weather(0.1, 0.05, 0.03, 0.5);
            default -> new Weather(0.03, 0.1, 0.1, 0.8);
        };
    }

    private void planNext() {
        world.after(world.between(LEAST_CALM, MOST_CALM), () -> {
            if (!healed) {
                strike();
                planNext();
            }
        });
    }

    private void strike() {
        SimProcess victim = processes.get(world.random().nextInt(processes.size()));
        long length = world.between(SHORT, LONG);
        int kind = world.random().nextInt(KINDS.size());
        fault.accept(KINDS.get(kind) + ", " + victim.name() + ", " + length / 1_000_000 + " ms");
        switch (kind) {
            case 0 -> crash(victim, length);
            case 1 -> victim.pause(length);
            case 2 -> sleepOrStep(victim, length);
            case 3, 4 -> victim.cutOff(length);
            case 5 -> victim.clock().jumpWall(Duration.ofMillis(world.random().nextInt(10_000)));
            default -> outage(length / 2);
        }
    }

    /**
     * A run has either sleeping machines or wall clocks that are set back, not both. A machine with both has no clock
     * that measures how long it slept, which Holdfast's promises exclude.
     */
    private void sleepOrStep(SimProcess victim, long length) {
        if (machinesSleep) {
            victim.suspend(length);
        } else {
            victim.clock().jumpWall(Duration.ofMillis(-world.random().nextInt(10_000)));
        }
    }

    /** Crashes a process, and restarts it after {@code downNanos}. */
    public void crash(SimProcess victim, long downNanos) {
        if (victim.isUp()) {
            victim.crash();
            world.after(downNanos, () -> {
                if (!victim.isUp()) {
                    victim.start();
                }
            });
        }
    }

    public void outage(long nanos) {
        store.setDown(true);
        world.after(nanos, () -> store.setDown(false));
    }

    private void heal() {
        healed = true;
        network.setWeather(Weather.CALM);
        network.setFaults(network.faults().healed());
        store.setDown(false);
        for (SimProcess process : processes) {
            process.heal();
            if (!process.isUp()) {
                process.start();
            }
        }
    }
}
