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

    private final FleetDeployment deployment;
    private final int workers;
    private final int tenth;

    ScaleTrial(FleetDeployment deployment, int workers) {
        this.deployment = deployment;
        this.workers = workers;
        this.tenth = Math.max(1, workers / 10);
    }

    /** The largest number of workers over the whole trial. */
    static int most(int workers) {
        return workers + 2 * Math.max(1, workers / 10);
    }

    DeploymentFigures run() {
        start(0, workers);
        Duration cold = until(deployment::isAtRest);
        pass(SETTLING);
        RequestCount.Count before = deployment.requests().count();
        pass(DeploymentFigures.REST);
        RequestCount.Count rest = deployment.requests().count().since(before);
        DeploymentFigures.Change loss = lose(List.of(), true);
        DeploymentFigures.Change growth = grow();
        boolean planned = deployment.planner() >= 0;
        DeploymentFigures.Change plannerLoss = planned ? lose(List.of(deployment.planner()), true) : loss;
        DeploymentFigures.Change commandLoss = planned ? lose(List.of(deployment.planner()), false) : loss;
        return new DeploymentFigures(
                workers, deployment.census().units(), rest, cold, loss, growth, plannerLoss, commandLoss);
    }

    /** @param random whether the other victims are random; if not, they are the oldest, which include the standbys */
    private DeploymentFigures.Change lose(List<Integer> first, boolean random) {
        List<Integer> victims = new ArrayList<>(first);
        List<Integer> others =
                new ArrayList<>(deployment.census().alive().stream().boxed().toList());
        others.remove((Integer) deployment.planner());
        if (random) {
            Collections.shuffle(others, deployment.world().random());
        }
        int count = random ? tenth : Math.max(tenth, 1 + HoldfastFleet.OPTIONS.standbys());
        victims.addAll(others.subList(0, count - first.size()));
        long begun = deployment.census().begun();
        long orphans = victims.stream().mapToLong(deployment.census()::load).sum();
        victims.forEach(deployment::kill);
        return settle(begun, orphans);
    }

    private DeploymentFigures.Change grow() {
        long begun = deployment.census().begun();
        long least = deployment.census().excess(deployment.census().workers() + tenth);
        start(workers, workers + tenth);
        return settle(begun, least);
    }

    private DeploymentFigures.Change settle(long begunBefore, long least) {
        long start = deployment.world().nowNanos();
        Duration recovered = until(deployment.census()::isAllHeld);
        until(deployment::isAtRest);
        Duration balanced = Duration.ofNanos(deployment.world().nowNanos() - start);
        pass(SETTLING);
        return new DeploymentFigures.Change(
                recovered, balanced, deployment.census().begun() - begunBefore, least);
    }

    private void start(int from, int to) {
        long gap = START.toNanos() / (to - from);
        for (int worker = from; worker < to; worker++) {
            deployment.start(worker);
            pass(Duration.ofNanos(gap));
        }
    }

    private void pass(Duration time) {
        deployment.world().run(deployment.world().nowNanos() + time.toNanos());
    }

    private Duration until(BooleanSupplier condition) {
        long start = deployment.world().nowNanos();
        while (!condition.getAsBoolean()) {
            pass(STEP);
            if (deployment.world().nowNanos() - start > DEADLINE.toNanos()) {
                throw new IllegalStateException("not at rest within " + DEADLINE);
            }
        }
        return Duration.ofNanos(deployment.world().nowNanos() - start);
    }
}
