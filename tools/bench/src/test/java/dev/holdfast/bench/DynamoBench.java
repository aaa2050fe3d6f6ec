package dev.holdfast.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A comparison of Holdfast and the Amazon DynamoDB Lock Client, on the same DynamoDB Local in the same run. It measures
 * acquire and release of uncontended locks, with 1 and with 16 callers, and the takeover of the lock of a dead holder.
 *
 * <p>Both are measured in turn, several times, and the medians are compared, because the machine may have other load.
 * The service runs in this process, on the same cores, and does most of the work. Only the number of requests carries
 * over to the real service.
 */
public final class DynamoBench {
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    /** The warm-up rounds of both in turn: the JVM takes a minute to compile the SDK and DynamoDB Local. */
    private static final int WARM_UP_ROUNDS = Integer.getInteger("warmUp", 10);

    private static final int WARM_UP_SECONDS = 1;
    private static final int SECONDS = 4;
    private static final Duration TERM = Duration.ofSeconds(3);

    private DynamoBench() {}

    public static void main(String[] arguments) throws Exception {
        try (BenchDynamo dynamo = BenchDynamo.start();
                Contender ours = new HoldfastContender(dynamo, TERM);
                Contender theirs = new LockClientContender(dynamo, TERM)) {
            for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                for (Contender contender : List.of(ours, theirs)) {
                    CallerRace.roundsPerSecond(
                            16, 0, SECONDS, caller -> number -> contender.cycle("warm-up-" + caller));
                }
            }
            System.out.printf("%-22s %8s %12s %16s%n", "", "callers", "cycles/s", "requests/cycle");
            for (int callers : List.of(1, 16)) {
                cycles(List.of(ours, theirs), callers);
            }
            System.out.printf("%n%-22s %s%n", "", "takeover of a dead holder's lock, term " + TERM.toSeconds() + " s");
            takeOvers(List.of(ours, theirs));
        }
        System.exit(0);
    }

    private static void cycles(List<Contender> contenders, int callers) throws Exception {
        Map<Contender, MeasuredSeries> speeds = new LinkedHashMap<>();
        Map<Contender, MeasuredSeries> costs = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Contender contender : inTurn(contenders, round)) {
                long before = contender.requests();
                Rounds rounds = new Rounds();
                double speed = CallerRace.roundsPerSecond(callers, WARM_UP_SECONDS, SECONDS, caller -> number -> {
                    contender.cycle("lock-" + caller);
                    rounds.add();
                });
                speeds.computeIfAbsent(contender, it -> new MeasuredSeries()).add(speed);
                costs.computeIfAbsent(contender, it -> new MeasuredSeries())
                        .add((double) (contender.requests() - before) / rounds.count());
            }
        }
        speeds.forEach((contender, all) -> System.out.printf(
                "%-22s %8d %12.0f %16.2f%n",
                contender.name(),
                callers,
                all.median(),
                Objects.requireNonNull(costs.get(contender)).median()));
    }

    private static void takeOvers(List<Contender> contenders) throws Exception {
        Map<Contender, List<Double>> times = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Contender contender : contenders) {
                Duration took = contender.takeOver("dead-" + round);
                times.computeIfAbsent(contender, it -> new ArrayList<>()).add(took.toNanos() / 1e9);
            }
        }
        times.forEach((contender, all) -> System.out.printf(
                "%-22s mean %.2f s%n",
                contender.name(),
                all.stream().mapToDouble(Double::doubleValue).average().orElse(0)));
    }

    /** The contenders in alternating order: each goes first in every other round. */
    private static List<Contender> inTurn(List<Contender> contenders, int round) {
        List<Contender> order = new ArrayList<>(contenders);
        if (round % 2 == 1) {
            Collections.reverse(order);
        }
        return order;
    }
}
