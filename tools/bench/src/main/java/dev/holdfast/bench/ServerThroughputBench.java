package dev.holdfast.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A comparison of a store in this process with the same store behind a server in its own process, in turns: acquire of
 * a new key, then done, with 64 callers in flight over one connection. Arguments: stores (sqlite, postgresql), then the
 * seconds of a turn and the number of turns.
 */
public final class ServerThroughputBench {
    private static final int CALLERS = 64;
    private static final int WARM_UP_SECONDS = 2;
    /** The warm-up of each caller: on two cores that also do the work, two JVMs take half a minute to compile. */
    private static final int WARM_UP_PAIRS = 3000;

    /** The server starts cold, on a machine that may have other load. */
    private static final LeasesOptions PATIENT =
            LeasesOptions.builder().operationTimeout(Duration.ofMinutes(1)).build();

    private ServerThroughputBench() {}

    public static void main(String[] args) throws Exception {
        List<String> stores = args.length > 0 ? List.of(args[0].split(",")) : List.of("sqlite", "postgresql");
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 10;
        int turns = args.length > 2 ? Integer.parseInt(args[2]) : 3;
        for (String name : stores) {
            try (BenchStore store = BenchStore.open(name)) {
                compare(name, store, seconds, turns);
            }
        }
    }

    private static void compare(String name, BenchStore store, int seconds, int turns) throws Exception {
        try (BenchServer server = new BenchServer(store.url());
                Leases direct = Holdfast.open(store.url());
                Leases remote = Holdfast.open(server.url(), PATIENT)) {
            AcquireDoneLoad load = new AcquireDoneLoad(
                    CALLERS, WARM_UP_SECONDS, seconds, AcquireOptions.defaults().autoRenew(false));
            warmUp(load, direct, "warm-direct");
            warmUp(load, remote, "warm-remote");
            double sumDirect = 0;
            double sumRemote = 0;
            for (int turn = 0; turn < turns; turn++) {
                double ofStore = load.asynchronous(direct, keys("direct-" + turn));
                double ofServer = load.asynchronous(remote, keys("remote-" + turn));
                System.out.printf(
                        "%s, turn %d: in process %,.0f acquire+done/s, through the server %,.0f/s (%.0f %%)%n",
                        name, turn + 1, ofStore, ofServer, 100 * ofServer / ofStore);
                sumDirect += ofStore;
                sumRemote += ofServer;
            }
            System.out.printf(
                    "%s: in process %,.0f acquire+done/s, through the server %,.0f/s: %.0f %%%n",
                    name, sumDirect / turns, sumRemote / turns, 100 * sumRemote / sumDirect);
        }
    }

    private static void warmUp(AcquireDoneLoad load, Leases leases, String run) {
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            CompletionStage<Void> pairs = CompletableFuture.completedFuture(null);
            for (int j = 0; j < WARM_UP_PAIRS; j++) {
                int number = j;
                pairs = pairs.thenCompose(done -> load.pair(leases, keys(run).key(caller, number)));
            }
            callers.add(pairs.toCompletableFuture());
        }
        callers.forEach(CompletableFuture::join);
    }

    private static AcquireDoneLoad.FreshKeys keys(String run) {
        return (caller, number) -> Key.of("bench", run + "-" + caller + "-" + number);
    }
}
