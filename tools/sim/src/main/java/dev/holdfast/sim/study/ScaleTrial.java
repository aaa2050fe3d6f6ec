package dev.holdfast.sim.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A trial of one deployment: it starts and kills workers, and measures the effects. */
final class ScaleTrial {
    private static final Duration STEP = Duration.ofMillis(20);

    /** Workers start one after another within this time, like in a deployment. */
    private static final Duration START = Duration.ofSeconds(10);

    /** The time after which a change has no more effects. */
    private static final Duration SETTLING = Duration.ofMinutes(1);

    private static final Duration DEADLINE = Duration.ofHours(6);

    private final FleetDeployment fleetDeployment;
    private final int workers;
    private final int tenth;

    ScaleTrial(FleetDeployment fleetDeployment, int workers) {
        this.fleetDeployment = fleetDeployment;
        this.workers = workers;
        this.tenth = Math.max(1, workers / 10);
    }

    /** The largest number of workers over the whole trial. */
    static int most(int workers) {
        return workers + 2 * Math.max(1, workers / 10);
    }

    DeploymentFigures run() {
        start(0, workers);
        Duration cold = until(fleetDeployment::isAtRest);
        pass(SETTLING);
        RequestCount.Count before = fleetDeployment.requests().count();
        pass(DeploymentFigures.REST);
        RequestCount.Count rest = fleetDeployment.requests().count().since(before);
        DeploymentFigures.Change loss = lose(List.of(), true);
        DeploymentFigures.Change growth = grow();
        boolean planned = fleetDeployment.planner() >= 0;
        DeploymentFigures.Change plannerLoss = planned ? lose(List.of(fleetDeployment.planner()), true) : loss;
        DeploymentFigures.Change commandLoss = planned ? lose(List.of(fleetDeployment.planner()), false) : loss;
        return new DeploymentFigures(
                workers, fleetDeployment.census().units(), rest, cold, loss, growth, plannerLoss, commandLoss);
    }

    /** @param random whether the other victims are random; if not, they are the oldest, which include the standbys */
    private DeploymentFigures.Change lose(List<Integer> first, boolean random) {
        List<Integer> victims = new ArrayList<>(first);
        List<Integer> others = new ArrayList<>(
                fleetDeployment.census().alive().stream().boxed().toList());
        others.remove((Integer) fleetDeployment.planner());
        if (random) {
            Collections.shuffle(others, fleetDeployment.world().random());
        }
        int count = random ? tenth : Math.max(tenth, 1 + HoldfastFleet.OPTIONS.standbys());
        victims.addAll(others.subList(0, count - first.size()));
        long begun = fleetDeployment.census().begun();
        long orphans =
                victims.stream().mapToLong(fleetDeployment.census()::load).sum();
        victims.forEach(fleetDeployment::kill);
        return settle(begun, orphans);
    }

    private DeploymentFigures.Change grow() {
        long begun = fleetDeployment.census().begun();
        long least = fleetDeployment.census().excess(fleetDeployment.census().workers() + tenth);
        start(workers, workers + tenth);
        return settle(begun, least);
    }

    private DeploymentFigures.Change settle(long begunBefore, long least) {
        long start = fleetDeployment.world().nowNanos();
        Duration recovered = until(fleetDeployment.census()::isAllHeld);
        until(fleetDeployment::isAtRest);
        Duration balanced = Duration.ofNanos(fleetDeployment.world().nowNanos() - start);
        pass(SETTLING);
        return new DeploymentFigures.Change(
                recovered, balanced, fleetDeployment.census().begun() - begunBefore, least);
    }

    private void start(int from, int to) {
        long gap = START.toNanos() / (to - from);
        for (int worker = from; worker < to; worker++) {
            fleetDeployment.start(worker);
            pass(Duration.ofNanos(gap));
        }
    }

    private void pass(Duration time) {
        fleetDeployment.world().run(fleetDeployment.world().nowNanos() + time.toNanos());
    }

    private Duration until(BooleanSupplier condition) {
        long start = fleetDeployment.world().nowNanos();
        while (!condition.getAsBoolean()) {
            pass(STEP);
            if (fleetDeployment.world().nowNanos() - start > DEADLINE.toNanos()) {
                throw new IllegalStateException("not at rest within " + DEADLINE);
            }
        }
        return Duration.ofNanos(fleetDeployment.world().nowNanos() - start);
    }
}
