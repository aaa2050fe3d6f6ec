package dev.holdfast.bench.accord;

import dev.holdfast.bench.BenchServer;
import dev.holdfast.bench.BenchStore;
import dev.holdfast.bench.CallerRace;
import dev.holdfast.bench.MeasuredSeries;

/**
 * A comparison of a Holdfast server that speaks accord's protocol with a replica of accord, on the same durable
 * PostgreSQL in the same run. 64 callers in flight over one connection each acquire a new name and finish it, through a
 * Holdfast server in its own process. The replica repeats the PostgreSQL work of accord's own server, with 64 callers
 * through pools of 16 and of 64 connections. {@link AccordReplica} is not accord itself and has no wire protocol.
 *
 * <p>All are measured in turn, several times, and the medians are compared, because the machine may have other load.
 */
public final class AccordComparisonBench {
    private static final int CALLERS = 64;
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    /** The warm-up before the first round: code that is not compiled yet is many times slower. */
    private static final int FIRST_WARM_UP_SECONDS = Integer.getInteger("warmup", 20);

    private static final int WARM_UP_SECONDS = 2;
    private static final int SECONDS = 6;

    private AccordComparisonBench() {}

    public static void main(String[] arguments) throws Exception {
        MeasuredSeries small = new MeasuredSeries();
        MeasuredSeries large = new MeasuredSeries();
        MeasuredSeries ours = new MeasuredSeries();
        try (BenchStore.Postgres postgres = new BenchStore.Postgres();
                AccordReplica of16 = new AccordReplica(postgres.database(), 16);
                AccordReplica of64 = new AccordReplica(postgres.database(), 64);
                BenchServer server = new BenchServer(postgres.url())) {
            System.out.printf("%8s %24s %24s %24s%n", "round", "replica, 16 conns", "replica, 64 conns", "holdfast");
            AccordLoadGenerator.pairsPerSecond(server.port(), "warm-up", CALLERS, FIRST_WARM_UP_SECONDS, 1);
            for (int round = 1; round <= ROUNDS; round++) {
                print(
                        String.valueOf(round),
                        small.add(replica(of16, "small-" + round)),
                        large.add(replica(of64, "large-" + round)),
                        ours.add(AccordLoadGenerator.pairsPerSecond(
                                server.port(), "ours-" + round, CALLERS, WARM_UP_SECONDS, SECONDS)));
            }
        }
        print("median", small.median(), large.median(), ours.median());
        System.out.printf(
                "%nholdfast : the better replica = %.1f%n", ours.median() / Math.max(small.median(), large.median()));
        System.exit(0);
    }

    private static double replica(AccordReplica replica, String namespace) throws Exception {
        return CallerRace.roundsPerSecond(
                CALLERS,
                WARM_UP_SECONDS,
                SECONDS,
                caller -> number -> replica.pair("caller-" + caller, namespace, caller + "-" + number));
    }

    private static void print(String name, double small, double large, double ours) {
        System.out.printf("%8s %16.0f pairs/s %16.0f pairs/s %16.0f pairs/s%n", name, small, large, ours);
    }
}
