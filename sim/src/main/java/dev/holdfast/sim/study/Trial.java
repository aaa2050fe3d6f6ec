package dev.holdfast.sim.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What is done to a deployment, and measured. */
final class Trial {
    private static final Duration STEP = Duration.ofMillis(20);

    /** Workers start one after another within this time, as in a deploy. */
    private static final Duration START = Duration.ofSeconds(10);

    /** So long after the last change nothing more comes of it. */
    private static final Duration SETTLING = Duration.ofMinutes(1);

    private static final Duration DEADLINE = Duration.ofHours(6);

    private final Deployment deployment;
    private final int workers;
    private final int tenth;

    Trial(Deployment deployment, int workers) {
        this.deployment = deployment;
        this.workers = workers;
        this.tenth = Math.max(1, workers / 10);
    }

    /** How many workers there are over time. */
    static int most(int workers) {
        return workers + 2 * Math.max(1, workers / 10);
    }

    Figures run() {
        start(0, workers);
        Duration cold = until(deployment::isAtRest);
        pass(SETTLING);
        Requests.Count before = deployment.requests().count();
        pass(Figures.REST);
        Requests.Count rest = deployment.requests().count().since(before);
        Figures.Change loss = lose(List.of(), true);
        Figures.Change growth = grow();
        boolean planned = deployment.planner() >= 0;
        Figures.Change plannerLoss = planned ? lose(List.of(deployment.planner()), true) : loss;
        Figures.Change commandLoss = planned ? lose(List.of(deployment.planner()), false) : loss;
        return new Figures(workers, deployment.census().units(), rest, cold, loss, growth, plannerLoss, commandLoss);
    }

    /** @param random whether the others are any; if not, the oldest, among whom are those who stand by to plan */
    private Figures.Change lose(List<Integer> first, boolean random) {
        List<Integer> victims = new ArrayList<>(first);
        List<Integer> others =
                new ArrayList<>(deployment.census().alive().stream().boxed().toList());
        others.remove((Integer) deployment.planner());
        if (random) {
            Collections.shuffle(others, deployment.world().random());
        }
        int count = random ? tenth : Math.max(tenth, 1 + RealFleet.OPTIONS.standbys());
        victims.addAll(others.subList(0, count - first.size()));
        long begun = deployment.census().begun();
        long orphans = victims.stream().mapToLong(deployment.census()::load).sum();
        victims.forEach(deployment::kill);
        return settle(begun, orphans);
    }

    private Figures.Change grow() {
        long begun = deployment.census().begun();
        long least = deployment.census().excess(deployment.census().workers() + tenth);
        start(workers, workers + tenth);
        return settle(begun, least);
    }

    private Figures.Change settle(long begunBefore, long least) {
        long start = deployment.world().nowNanos();
        Duration recovered = until(deployment.census()::isAllHeld);
        until(deployment::isAtRest);
        Duration balanced = Duration.ofNanos(deployment.world().nowNanos() - start);
        pass(SETTLING);
        return new Figures.Change(recovered, balanced, deployment.census().begun() - begunBefore, least);
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
                throw new IllegalStateException("not within " + DEADLINE);
            }
        }
        return Duration.ofNanos(deployment.world().nowNanos() - start);
    }
}
