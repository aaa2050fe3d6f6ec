package dev.holdfast.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A measurement of the time from a release until a waiter has its lease. One client holds 1,000 keys, and another
 * client has a waiter for each, through one server in its own process. The keys are released one after another.
 * Arguments: the store (sqlite, postgresql), rounds (the last one counts), waiters.
 */
public final class WakeUpLatencyBench {
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(Duration.ofMinutes(5));
    private static final Duration WAIT = Duration.ofMinutes(5);
    private static final long PAUSE_MILLIS = 5;
    private static final double NANOS_PER_MILLI = 1e6;

    private WakeUpLatencyBench() {}

    public static void main(String[] args) throws Exception {
        String name = args.length > 0 ? args[0] : "sqlite";
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        int waiters = args.length > 2 ? Integer.parseInt(args[2]) : 1000;
        try (BenchStore store = BenchStore.open(name);
                BenchServer server = new BenchServer(store.url());
                Leases holder = client(server, "holder");
                Leases waiter = client(server, "waiter")) {
            for (int round = 1; round <= rounds; round++) {
                long[] nanos = round("round-" + round, holder, waiter, waiters);
                Arrays.sort(nanos);
                System.out.printf(
                        "%s, round %d, %,d waiters on as many keys: median %.1f ms, p99 %.1f ms, slowest %.1f ms%n",
                        name,
                        round,
                        waiters,
                        nanos[waiters / 2] / NANOS_PER_MILLI,
                        nanos[waiters * 99 / 100] / NANOS_PER_MILLI,
                        nanos[waiters - 1] / NANOS_PER_MILLI);
            }
        }
    }

    private static Leases client(BenchServer server, String name) {
        return Holdfast.open(
                server.url(),
                LeasesOptions.builder()
                        .holder(name)
                        .operationTimeout(Duration.ofMinutes(1))
                        .build());
    }

    private static long[] round(String namespace, Leases holder, Leases waiter, int count) throws Exception {
        List<Lease> held = new ArrayList<>();
        List<CompletableFuture<Long>> granted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Key key = Key.of(namespace, "key-" + i);
            held.add(holder.tryAcquire(key, OPTIONS).orThrow());
            granted.add(waiter.async()
                    .acquire(key, OPTIONS, WAIT)
                    .thenApply(AcquireResult::orThrow)
                    .thenApply(lease -> System.nanoTime())
                    .toCompletableFuture());
        }
        // Give all waiters time to reach the server: a late one would not wait at all.
        TimeUnit.SECONDS.sleep(2);
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long began = System.nanoTime();
            held.get(i).release();
            nanos[i] = granted.get(i).get(1, TimeUnit.MINUTES) - began;
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return nanos;
    }
}
