package dev.holdfast.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A measurement of the cost of a server with many leases: 100 clients, each with one session and 1,000 leases under its
 * anchor. Arguments: the store (sqlite, postgresql), seconds to watch, clients, leases per client.
 */
public final class SessionsBench {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final double MIB = 1024.0 * 1024;
    private static final double NANOS = 1e9;

    private SessionsBench() {}

    public static void main(String[] args) throws Exception {
        String name = args.length > 0 ? args[0] : "sqlite";
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 60;
        int clients = args.length > 2 ? Integer.parseInt(args[2]) : 100;
        int leases = args.length > 3 ? Integer.parseInt(args[3]) : 1000;
        try (BenchStore store = BenchStore.open(name);
                BenchServer server = new BenchServer(store.url())) {
            List<Leases> open = new ArrayList<>();
            List<Lease> held = new ArrayList<>();
            try {
                for (int i = 0; i < clients; i++) {
                    open.add(Holdfast.open(
                            server.url(),
                            LeasesOptions.builder().holder("client-" + i).build()));
                    held.addAll(take(open.get(i), i, leases));
                }
                watch(server, held, seconds, clients);
            } finally {
                open.forEach(Leases::close);
            }
        }
    }

    private static List<Lease> take(Leases client, int number, int count) throws Exception {
        Anchor anchor = client.anchor("worker-" + number, TERM);
        AcquireOptions under = AcquireOptions.defaults().under(anchor);
        List<CompletionStage<Lease>> asked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asked.add(client.async()
                    .tryAcquire(Key.of("bench-" + number, "unit-" + i), under)
                    .thenApply(result -> result.orThrow()));
        }
        List<Lease> held = new ArrayList<>();
        for (CompletionStage<Lease> one : asked) {
            held.add(one.toCompletableFuture().get(60, TimeUnit.SECONDS));
        }
        return held;
    }

    private static void watch(BenchServer server, List<Lease> held, int seconds, int clients) throws Exception {
        BenchServer.Cost before = server.cost();
        TimeUnit.SECONDS.sleep(seconds);
        BenchServer.Cost after = server.cost();
        long stillHeld = held.stream().filter(Lease::isHeld).count();
        double heartbeats = clients / (TERM.toMillis() / 1000.0 / 3);
        System.out.printf(
                "%,d leases held through %d sessions, %,d of them after %d s: heap %.0f MiB, CPU %.1f %% of one core, "
                        + "%.1f writes/s (one heartbeat of each in a third of the term: %.1f/s)%n",
                held.size(),
                clients,
                stillHeld,
                seconds,
                after.heapBytes() / MIB,
                100 * (after.cpuNanos() - before.cpuNanos()) / (seconds * NANOS),
                (double) (after.writes() - before.writes()) / seconds,
                heartbeats);
    }
}
