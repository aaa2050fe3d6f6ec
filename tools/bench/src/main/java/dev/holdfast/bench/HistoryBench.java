package dev.holdfast.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Token;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * A benchmark of the cost of histories: the same writes with full histories of 0, 5, 10, 20 and 50 lines. All lengths take
 * turns, round by round, so that other load on the machine slows down all of them. The results are medians of the ratios
 * to no history at all.
 *
 * <p>Two loads: renewals in batches, straight on the store; and 64 callers that acquire and release a key each, through a
 * client. The lines name eight holders in turn. The CPU time of a renewal, of this process and of the server, depends least on
 * other load.
 */
public final class HistoryBench {
    private static final List<Integer> LENGTHS = List.of(0, 5, 10, 20, 50);
    private static final int ROUNDS = Integer.getInteger("rounds", 11);
    private static final int ENTRIES = 2_048;
    private static final int BATCH = 256;
    private static final int CALLERS = 64;
    private static final long ROUND_NANOS = 1_000_000_000L;
    private static final int HOLDERS = 8;

    private HistoryBench() {}

    public static void main(String[] arguments) throws Exception {
        for (String name : arguments.length == 0 ? List.of("sqlite", "postgresql") : List.of(arguments)) {
            List<Contestant> contestants = new ArrayList<>();
            try (BenchStore first = BenchStore.open(name)) {
                CpuTime cpu = first instanceof BenchStore.Postgres postgres
                        ? new ServerCpuTime(postgres.database())::used
                        : () -> Duration.ZERO;
                for (int length : LENGTHS) {
                    contestants.add(new Contestant(url(first.url(), length), length, cpu));
                }
                for (int round = -1; round < ROUNDS; round++) {
                    measure(contestants, round >= 0);
                }
                System.out.println(name + ", " + ROUNDS + " rounds");
                System.out.println("lines   bytes   renewals/s   ratio (range)        CPU us   ratio (range)        "
                        + "acquire+release/s   ratio (range)");
                contestants.forEach(Contestant::print);
                for (Contestant contestant : contestants) {
                    contestant.close();
                }
            }
        }
    }

    private interface CpuTime {
        Duration used();
    }

    /** A file or a schema of its own for each length. */
    private static String url(String url, int length) {
        return url.startsWith("sqlite:")
                ? url + "-" + length + "?history=" + length
                : url + "?schema=history" + length + "&history=" + length;
    }

    private static void measure(List<Contestant> contestants, boolean counts) throws Exception {
        double renewals = 0;
        double pairs = 0;
        double cpu = 0;
        for (Contestant contestant : contestants) {
            double rate = contestant.renewalsPerSecond();
            renewals = contestant.length == 0 ? rate : renewals;
            cpu = contestant.length == 0 ? contestant.cpuMicros : cpu;
            double pairRate = contestant.pairsPerSecond();
            pairs = contestant.length == 0 ? pairRate : pairs;
            if (counts) {
                contestant.renewals.add(rate);
                contestant.renewalRatios.add(rate / renewals);
                contestant.cpus.add(contestant.cpuMicros);
                contestant.cpuRatios.add(contestant.cpuMicros / cpu);
                contestant.pairs.add(pairRate);
                contestant.pairRatios.add(pairRate / pairs);
            }
        }
    }

    private static GrantHistory history(Instant createdAt, int length) {
        return GrantHistory.of(
                createdAt,
                IntStream.rangeClosed(1, length)
                        .mapToObj(number -> line(createdAt.plusSeconds(60L * number), number))
                        .toList());
    }

    private static PastGrant line(Instant time, int number) {
        return new PastGrant(
                number,
                Holder.of("worker@host-" + number % HOLDERS + ".example.org:4711"),
                Fence.of(time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000),
                time,
                GrantEnd.RELEASED,
                time.plusMillis(31_234));
    }

    /** One length, with its own store and client. */
    private static final class Contestant implements AutoCloseable {
        final int length;
        final MeasuredSeries renewals = new MeasuredSeries();
        final MeasuredSeries renewalRatios = new MeasuredSeries();
        final MeasuredSeries cpus = new MeasuredSeries();
        final MeasuredSeries cpuRatios = new MeasuredSeries();
        final MeasuredSeries pairs = new MeasuredSeries();
        final MeasuredSeries pairRatios = new MeasuredSeries();
        private final LeaseStore store;
        private final Leases leases;
        private final List<Entry> entries = new ArrayList<>();
        private final CpuTime cpu;
        private int next;
        double cpuMicros;

        Contestant(String url, int length, CpuTime cpu) {
            this.length = length;
            this.cpu = cpu;
            this.store = Holdfast.provider(url).open(url, new SystemEnvironment());
            this.leases = Holdfast.open(
                    url,
                    LeasesOptions.builder()
                            .holder("worker@host-1.example.org:4711")
                            .withoutCleanUp()
                            .build());
            for (int i = 0; i < ENTRIES; i++) {
                Entry entry = BenchEntries.held(Key.of("renewed", "key-" + i), Token.of(UUID.randomUUID()));
                entries.add(entry.withHistory(history(entry.createdAt(), length)));
            }
            BenchEntries.fill(store, ENTRIES, entries::get);
        }

        double renewalsPerSecond() {
            long startNanos = System.nanoTime();
            long cpuNanos = BenchProcess.ownCpuNanos() + cpu.used().toNanos();
            long writes = 0;
            while (System.nanoTime() - startNanos < ROUND_NANOS) {
                List<Change> changes = new ArrayList<>(BATCH);
                for (int i = 0; i < BATCH; i++, next = (next + 1) % ENTRIES) {
                    Entry renewed = BenchEntries.renewed(entries.get(next));
                    changes.add(Change.replace(entries.get(next).version(), renewed));
                    entries.set(next, renewed);
                }
                BenchEntries.apply(store, changes);
                writes += BATCH;
            }
            double rate = writes * 1e9 / (System.nanoTime() - startNanos);
            cpuMicros = (BenchProcess.ownCpuNanos() + cpu.used().toNanos() - cpuNanos) / 1e3 / writes;
            return rate;
        }

        double pairsPerSecond() throws Exception {
            AcquireOptions options = AcquireOptions.defaults();
            return CallerRace.roundsPerSecond(
                    CALLERS,
                    0,
                    1,
                    caller -> number -> leases.tryAcquire(Key.of("held", "key-" + caller), options)
                            .orThrow()
                            .release());
        }

        void print() {
            System.out.printf(
                    "%5d %7d %12.0f   %s %9.1f   %s %19.0f   %s%n",
                    length,
                    entries.get(0).history().encodedSize(),
                    renewals.median(),
                    ratio(renewalRatios),
                    cpus.median(),
                    ratio(cpuRatios),
                    pairs.median(),
                    ratio(pairRatios));
        }

        private static String ratio(MeasuredSeries ratios) {
            return String.format("%.2f (%.2f-%.2f)", ratios.median(), ratios.least(), ratios.most());
        }

        @Override
        public void close() {
            leases.close();
            store.close();
        }
    }
}
