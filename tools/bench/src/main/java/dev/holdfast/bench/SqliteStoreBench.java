package dev.holdfast.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLongArray;

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
    private final BatchCounter counter = new BatchCounter();

    private SqliteStoreBench(int callers, boolean async) {
        this.callers = callers;
        this.async = async;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("     callers           by hand    batches of one          holdfast"
                + "       : by hand  : batch of one   commits/s  batch size   cores in use");
        // Many callers first, because they get the code compiled. A single caller mostly waits for the disk and would
        // take a minute for that.
        compare(64, false);
        compare(64, true);
        compare(1, false);
    }

    private static void compare(int callers, boolean async) throws Exception {
        try (BenchStore.Sqlite bench = new BenchStore.Sqlite()) {
            new SqliteStoreBench(callers, async).run(bench);
        }
    }

    private void run(BenchStore.Sqlite bench) throws Exception {
        LeasesOptions options = LeasesOptions.builder().listener(counter).build();
        AcquireDoneLoad load = new AcquireDoneLoad(callers, 0, SECONDS, AcquireOptions.defaults());
        MeasuredSeries plain = new MeasuredSeries();
        MeasuredSeries ones = new MeasuredSeries();
        MeasuredSeries ours = new MeasuredSeries();
        MeasuredSeries toPlain = new MeasuredSeries();
        MeasuredSeries toOnes = new MeasuredSeries();
        double cores = 0;
        try (Connection connection = openPlain(bench.file("plain.db"));
                Leases one = Holdfast.open(new SingleChangeBatches(bench.store()), LeasesOptions.defaults());
                Leases leases = Holdfast.open("sqlite:" + bench.file("holdfast.db"), options)) {
            Contestant onePerCommit = onePerCommit(connection);
            AtomicLongArray next = new AtomicLongArray(callers);
            for (int i = -WARM_UPS; i < ROUNDS; i++) {
                if (i == 0) {
                    counter.reset();
                }
                double plainRate =
                        CallerRace.roundsPerSecond(callers, 0, SECONDS, caller -> number -> onePerCommit.write(caller));
                double oneRate = pairs(load, one, next);
                long cpuNanos = BenchProcess.ownCpuNanos();
                long startNanos = System.nanoTime();
                double ourRate = pairs(load, leases, next);
                if (i >= 0) {
                    plain.add(2 * plainRate);
                    ones.add(2 * oneRate);
                    ours.add(2 * ourRate);
                    toPlain.add(ourRate / plainRate);
                    toOnes.add(ourRate / oneRate);
                    cores += (double) (BenchProcess.ownCpuNanos() - cpuNanos)
                            / (System.nanoTime() - startNanos)
                            / ROUNDS;
                }
            }
        }
        System.out.printf(
                "%12s %8.0f writes/s %8.0f writes/s %8.0f writes/s %15s %15s %11.0f %11.1f %14.1f%n",
                callers + (async ? " async" : callers == 1 ? " thread" : " threads"),
                plain.median(),
                ones.median(),
                ours.median(),
                shown(toPlain),
                shown(toOnes),
                (double) counter.count() / ROUNDS / SECONDS,
                counter.averageSize(),
                cores);
    }

    /** The median of the ratios, and their range. */
    private static String shown(MeasuredSeries ratios) {
        return String.format("%.2f (%.1f-%.1f)", ratios.median(), ratios.least(), ratios.most());
    }

    private double pairs(AcquireDoneLoad load, Leases leases, AtomicLongArray next) throws Exception {
        AcquireDoneLoad.FreshKeys keys =
                (caller, number) -> Key.of("bench", caller + "-" + next.getAndIncrement(caller));
        return async ? load.asynchronous(leases, keys) : load.onThreads(leases, keys);
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

    /** A contestant that writes a new key twice. */
    private interface Contestant {
        void write(int caller) throws Exception;
    }
}
