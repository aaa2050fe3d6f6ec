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

    private final SimWorld simWorld;
    private final SimNetwork simNetwork;
    private final SimStore store;
    private final List<SimProcess> processes;
    private final Consumer<String> fault;
    private final boolean machinesSleep;
    private boolean healed;

    public FaultInjector(
            SimWorld simWorld,
            SimNetwork simNetwork,
            SimStore store,
            List<SimProcess> processes,
            Consumer<String> fault) {
        this.simWorld = simWorld;
        this.simNetwork = simNetwork;
        this.store = store;
        this.processes = processes;
        this.fault = fault;
        this.machinesSleep = simWorld.chance(0.6);
    }

    /** Starts random faults, and heals everything at {@code healNanos}. */
    public void unleash(long healNanos) {
        healAt(healNanos);
        badWeather();
        planNext();
    }

    /** Starts no faults, but heals everything at {@code healNanos}. */
    public void healAt(long healNanos) {
        simWorld.after(healNanos - simWorld.nowNanos(), this::heal);
    }

    public void badWeather() {
        simNetwork.setWeather(weather());
    }

    /** Makes nearly every message slow from now on. */
    public void slowWeather() {
        simNetwork.setWeather(new Weather(0, 0, 0, 0.95));
    }

    private Weather weather() {
        // Some runs are nearly calm: their timing is exact, so they reveal errors of a few milliseconds.
        return switch (simWorld.random().nextInt(4)) {
            case 0 -> new Weather(0, 0, 0, 0.1);
            case 1 -> new Weather(0.02, 0.01, 0.005, 0.3);
            case 2 -> new Weather(0.1, 0.05, 0.03, 0.5);
            default -> new Weather(0.03, 0.1, 0.1, 0.8);
        };
    }

    private void planNext() {
        simWorld.after(simWorld.between(LEAST_CALM, MOST_CALM), () -> {
            if (!healed) {
                strike();
                planNext();
            }
        });
    }

    private void strike() {
        SimProcess victim = processes.get(simWorld.random().nextInt(processes.size()));
        long length = simWorld.between(SHORT, LONG);
        int kind = simWorld.random().nextInt(KINDS.size());
        fault.accept(KINDS.get(kind) + ", " + victim.name() + ", " + length / 1_000_000 + " ms");
        switch (kind) {
            case 0 -> crash(victim, length);
            case 1 -> victim.pause(length);
            case 2 -> sleepOrStep(victim, length);
            case 3, 4 -> victim.cutOff(length);
            case 5 ->
                victim.clock().jumpWall(Duration.ofMillis(simWorld.random().nextInt(10_000)));
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
            victim.clock().jumpWall(Duration.ofMillis(-simWorld.random().nextInt(10_000)));
        }
    }

    /** Crashes a process, and restarts it after {@code downNanos}. */
    public void crash(SimProcess victim, long downNanos) {
        if (victim.isUp()) {
            victim.crash();
            simWorld.after(downNanos, () -> {
                if (!victim.isUp()) {
                    victim.start();
                }
            });
        }
    }

    public void outage(long nanos) {
        store.setDown(true);
        simWorld.after(nanos, () -> store.setDown(false));
    }

    private void heal() {
        healed = true;
        simNetwork.setWeather(Weather.CALM);
        simNetwork.setFaults(simNetwork.faults().healed());
        store.setDown(false);
        for (SimProcess process : processes) {
            process.heal();
            if (!process.isUp()) {
                process.start();
            }
        }
    }
}
