package dev.holdfast.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.store.Change;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;

/**
 * A benchmark of Holdfast on durable SQLite: acquire of a new key, then done, which is two writes. It runs beside two
 * writes with a commit each, on the same disk, in one run. All take turns, round by round, so that other load on the
 * machine slows down all of them. The result is the median of the ratios.
 *
 * <p>The alternative with one commit per write is measured in two forms: by hand on a table of three columns, which is
 * the minimum; and by Holdfast itself, with the same rows and indexes, but in batches of one.
 */
public final class SqliteStoreBench {
    private static final int WARM_UPS = 8;
    private static final int ROUNDS = 21;
    private static final int SECONDS = 1;

    private final int callers;
    private final boolean async;
    private final BatchCounter batchCounter = new BatchCounter();

    private SqliteStoreBench(int callers, boolean async) {
        this.callers = callers;
        this.async = async;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.printf(
                "%12s %17s %17s %17s %15s %15s %11s %11s %14s%n",
                "callers",
                "by hand",
                "batches of one",
                "holdfast",
                ": by hand",
                ": batch of one",
                "commits/s",
                "batch size",
                "cores in use");
        // Many callers first, because they get the code compiled. A single caller mostly waits for the disk and would
        // take a minute for that.
        compare(64, false);
        compare(64, true);
        compare(1, false);
    }

    private static void compare(int callers, boolean async) throws Exception {
        Path folder = Files.createTempDirectory("holdfast-bench");
        try {
            new SqliteStoreBench(callers, async).run(folder);
        } finally {
            delete(folder);
        }
    }

    private void run(Path folder) throws Exception {
        LeasesOptions options = LeasesOptions.builder().listener(batchCounter).build();
        double[] plain = new double[ROUNDS];
        double[] ones = new double[ROUNDS];
        double[] ours = new double[ROUNDS];
        double cores = 0;
        String url = "sqlite:" + folder.resolve("ones.db");
        try (Connection connection = openPlain(folder.resolve("plain.db"));
                Leases one = Holdfast.open(
                        new BatchesOfOne(Holdfast.provider(url).open(url, new SystemEnvironment())),
                        LeasesOptions.defaults());
                Leases leases = Holdfast.open("sqlite:" + folder.resolve("holdfast.db"), options)) {
            Contestant onePerCommit = onePerCommit(connection);
            AtomicLongArray next = new AtomicLongArray(callers);
            for (int i = -WARM_UPS; i < ROUNDS; i++) {
                if (i == 0) {
                    batchCounter.reset();
                }
                double plainRate =
                        CallerRace.roundsPerSecond(callers, 0, SECONDS, caller -> number -> onePerCommit.write(caller));
                double oneRate = async ? asynchronous(one.async(), next) : onThreads(one, next);
                long cpuNanos = cpuNanos();
                long startNanos = System.nanoTime();
                double ourRate = async ? asynchronous(leases.async(), next) : onThreads(leases, next);
                if (i >= 0) {
                    plain[i] = 2 * plainRate;
                    ones[i] = 2 * oneRate;
                    ours[i] = 2 * ourRate;
                    cores += (double) (cpuNanos() - cpuNanos) / (System.nanoTime() - startNanos) / ROUNDS;
                }
            }
        }
        System.out.printf(
                "%12s %8.0f writes/s %8.0f writes/s %8.0f writes/s %15s %15s %11.0f %11.1f %14.1f%n",
                callers + (async ? " async" : callers == 1 ? " thread" : " threads"),
                median(plain),
                median(ones),
                median(ours),
                ratios(ours, plain),
                ratios(ours, ones),
                (double) batchCounter.count() / ROUNDS / SECONDS,
                batchCounter.averageSize(),
                cores);
    }

    /** The median of the ratios, and their range. */
    private static String ratios(double[] ours, double[] others) {
        double[] ratios = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            ratios[i] = ours[i] / others[i];
        }
        Arrays.sort(ratios);
        return String.format("%.2f (%.1f-%.1f)", median(ratios), ratios[0], ratios[ROUNDS - 1]);
    }

    private double onThreads(Leases leases, AtomicLongArray next) throws Exception {
        return CallerRace.roundsPerSecond(
                callers,
                0,
                SECONDS,
                caller -> number -> leases.tryAcquire(key(caller, next), AcquireOptions.defaults())
                        .orThrow()
                        .done());
    }

    private double asynchronous(AsyncLeases leases, AtomicLongArray next) throws Exception {
        return CallerRace.asyncRoundsPerSecond(
                callers,
                0,
                SECONDS,
                caller -> number -> leases.tryAcquire(key(caller, next), AcquireOptions.defaults())
                        .thenCompose(result -> result.orThrow().doneAsync(AttributePatch.NONE)));
    }

    private static Key key(int caller, AtomicLongArray next) {
        return Key.of("bench", caller + "-" + next.getAndIncrement(caller));
    }

    private static Connection openPlain(Path file) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement setup = connection.createStatement()) {
            setup.execute("PRAGMA journal_mode = WAL");
            setup.execute("PRAGMA synchronous = FULL");
            setup.execute("CREATE TABLE lease (name TEXT PRIMARY KEY, token TEXT, done INTEGER) WITHOUT ROWID");
        }
        return connection;
    }

    /**
     * The solution without a library: a row per key, a statement per step, each durable by itself. The statements are
     * closed with their connection.
     */
    private Contestant onePerCommit(Connection connection) throws SQLException {
        AtomicLongArray next = new AtomicLongArray(callers);
        PreparedStatement insert = connection.prepareStatement("INSERT INTO lease VALUES (?, ?, 0)");
        PreparedStatement done = connection.prepareStatement("UPDATE lease SET done = 1 WHERE name = ? AND token = ?");
        return caller -> {
            String name = caller + "-" + next.getAndIncrement(caller);
            String token = UUID.randomUUID().toString();
            write(connection, insert, name, token);
            write(connection, done, name, token);
        };
    }

    /** Takes a lock, because SQLite allows only one writer at a time anyway. */
    private static void write(Connection connection, PreparedStatement statement, String name, String token)
            throws SQLException {
        synchronized (connection) {
            statement.setString(1, name);
            statement.setString(2, token);
            statement.executeUpdate();
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** A contestant that writes a new key twice. */
    private interface Contestant {
        void write(int caller) throws Exception;
    }

    /** A store without group commit: every change is its own batch. */
    private record BatchesOfOne(LeaseStore store) implements LeaseStore {
        @Override
        public StoreTraits traits() {
            StoreTraits traits = store.traits();
            return new StoreTraits(traits.lanes(), 1, traits.step(), traits.dialect(), traits.longestCall());
        }

        @Override
        public List<WriteOutcome> apply(List<Change> changes) {
            return store.apply(changes);
        }

        @Override
        public List<Optional<StoredEntry>> read(List<Key> keys) {
            return store.read(keys);
        }

        @Override
        public ScanPage scan(EntryScan entryScan) {
            return store.scan(entryScan);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
