package dev.holdfast.bench;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.store.Entry;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.Version;
import java.util.UUID;

/**
 * A benchmark of scans over a million entries, in pages of 500: by namespace prefix, by state, by both, by token. It
 * measures the first page, and a later one. The argument is {@code sqlite} or {@code postgresql}.
 */
public final class MillionEntries {
    private static final int ENTRIES = Integer.getInteger("entries", 1_000_000);
    private static final int NAMESPACES = 100;
    private static final int PAGE = 500;
    private static final int REPEATS = 21;

    private MillionEntries() {}

    public static void main(String[] arguments) throws Exception {
        Token token = Token.of(UUID.randomUUID());
        try (BenchStore bench = BenchStore.open(arguments[0]);
                LeaseStore store = bench.store()) {
            fill(store, token);
            System.out.printf("%-32s %8s %12s %12s%n", "a page of 500", "entries", "median ms", "slowest ms");
            EntryScan all = EntryScan.of("", PAGE);
            EntryScan few = EntryScan.of("team-07", PAGE);
            measure(store, "of all", all);
            measure(store, "of a namespace prefix", few);
            for (LeaseState state : LeaseState.values()) {
                measure(store, "of state " + state, all.withState(state));
                measure(store, "of prefix and state " + state, few.withState(state));
            }
            measure(store, "of a token", all.withToken(token));
        }
    }

    /** One entry in ten is held, one in a hundred free, the rest done. One entry in the middle has {@code token}. */
    private static void fill(LeaseStore store, Token token) {
        BenchEntries.fill(store, ENTRIES, i -> {
            Key key = Key.of("team-%02d/jobs".formatted(i % NAMESPACES), "job-" + i);
            Entry held = BenchEntries.held(key, i == ENTRIES / 2 ? token : Token.of(UUID.randomUUID()));
            int share = i / NAMESPACES % 100;
            return share < 10
                    ? held
                    : share == 10 ? held.freed(Version.of(UUID.randomUUID())) : BenchEntries.done(held);
        });
    }

    private static void measure(LeaseStore store, String name, EntryScan scan) {
        time(store, name, scan);
        String first = store.scan(scan).cursor();
        if (first != null) {
            EntryScan next = scan.after(first);
            for (int page = 0; page < 9; page++) {
                String cursor = store.scan(next).cursor();
                next = cursor == null ? next : scan.after(cursor);
            }
            time(store, name + ", later page", next);
        }
    }

    private static void time(LeaseStore store, String name, EntryScan scan) {
        MeasuredSeries millis = new MeasuredSeries();
        int found = 0;
        for (int i = 0; i < REPEATS; i++) {
            long start = System.nanoTime();
            found = store.scan(scan).entries().size();
            millis.add((System.nanoTime() - start) / 1e6);
        }
        System.out.printf("%-32s %8d %12.1f %12.1f%n", name, found, millis.median(), millis.most());
    }
}
