package dev.holdfast.bench;

import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A benchmark of 100,000 leases that are each renewed fifty times: the number of statements, the speed, and the growth
 * of the table. The argument is {@code sqlite} or {@code postgresql}.
 */
public final class RenewalBench {
    private static final int LEASES = Integer.getInteger("leases", 100_000);
    private static final int ROUNDS = Integer.getInteger("rounds", 50);

    private RenewalBench() {}

    public static void main(String[] arguments) throws Exception {
        try (BenchStore bench = BenchStore.open(arguments[0]);
                LeaseStore store = bench.store()) {
            int limit = store.traits().batchLimit();
            List<Entry> entries = new ArrayList<>();
            for (int i = 0; i < LEASES; i++) {
                entries.add(BenchEntries.held(Key.of("leases", "lease-" + i), Token.of(UUID.randomUUID())));
            }
            BenchEntries.fill(store, LEASES, entries::get);
            long before = bench.bytes();
            long start = System.nanoTime();
            for (int round = 0; round < ROUNDS; round++) {
                for (int from = 0; from < LEASES; from += limit) {
                    renew(store, entries.subList(from, Math.min(from + limit, LEASES)));
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    "%,d renewals, %d in a batch: %,.0f a second; the table had %,d bytes and now has %,d: %.2f x%n",
                    (long) LEASES * ROUNDS,
                    limit,
                    LEASES * ROUNDS / seconds,
                    before,
                    bench.bytes(),
                    (double) bench.bytes() / before);
        }
    }

    private static void renew(LeaseStore store, List<Entry> some) {
        List<Change> changes = new ArrayList<>();
        some.replaceAll(entry -> {
            Entry renewed = BenchEntries.renewed(entry);
            changes.add(Change.replace(entry.version(), renewed));
            return renewed;
        });
        BenchEntries.apply(store, changes);
    }
}
