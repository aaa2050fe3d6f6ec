package dev.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

/**
 * A benchmark of Holdfast on durable PostgreSQL: acquire of a new key, then done, which is two writes. 64 callers run
 * in one process, on one thread each, and asynchronously. Two alternatives run on the same server in the same run: the
 * same two writes as one statement each, on about as many connections as Holdfast uses; and pgbench, with 16 clients
 * that update one row by its primary key.
 *
 * <p>All are measured in turn, several times, and the medians are compared, because the machine may have other load.
 */
public final class PostgresStoreBench {
    private static final int CALLERS = 64;
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    private static final int WARM_UP_SECONDS = 2;
    private static final int SECONDS = 6;

    private static final AcquireDoneLoad LOAD =
            new AcquireDoneLoad(CALLERS, WARM_UP_SECONDS, SECONDS, AcquireOptions.defaults());

    private final BatchCounter counter = new BatchCounter();
    private final PgbenchLoad pgbench;
    private final ServerCpuTime cpu;
    private final String url;

    private PostgresStoreBench(BenchStore.Postgres postgres) throws SQLException {
        pgbench = new PgbenchLoad(postgres.port());
        cpu = new ServerCpuTime(postgres.database());
        url = postgres.url() + System.getProperty("parameters", "");
    }

    public static void main(String[] arguments) throws Exception {
        try (BenchStore.Postgres postgres = new BenchStore.Postgres();
                HikariDataSource pool = BenchStore.pool(postgres.database(), 4)) {
            new PostgresStoreBench(postgres).compare(pool);
        }
    }

    private void compare(HikariDataSource pool) throws Exception {
        pgbench.prepare();
        try (Connection connection = pool.getConnection();
                Statement setup = connection.createStatement()) {
            setup.execute("CREATE TABLE lease (name text PRIMARY KEY, token uuid, done boolean)");
        }
        Series plain = new Series("a statement each");
        Series theirs = new Series("pgbench");
        Series prepared = new Series("pgbench, prepared");
        Series threads = new Series("holdfast, threads");
        Series async = new Series("holdfast, async");
        LeasesOptions options = LeasesOptions.builder().listener(counter).build();
        try (Leases leases = Holdfast.open(url, options)) {
            for (int i = 0; i < ROUNDS; i++) {
                int round = i;
                plain.add(2 * aStatementEach(pool, round));
                theirs.add(pgbench.writesPerSecond("simple", SECONDS));
                prepared.add(pgbench.writesPerSecond("prepared", SECONDS));
                measured(threads, () -> 2 * LOAD.onThreads(leases, keys("threads-" + round)));
                measured(async, () -> 2 * LOAD.asynchronous(leases, keys("async-" + round)));
            }
        }
        System.out.printf(
                "%20s   writes/s   : statement each  : pgbench      batch      our CPU     server's          sum%n",
                "median of " + ROUNDS);
        for (Series series : List.of(plain, theirs, prepared, threads, async)) {
            series.print(plain.median(), theirs.median());
        }
    }

    private void measured(Series series, Callable<Double> contest) throws Exception {
        counter.reset();
        Duration server = cpu.used();
        long client = BenchProcess.ownCpuNanos();
        series.add(contest.call());
        series.clientMicros.add(perWrite(BenchProcess.ownCpuNanos() - client));
        series.serverMicros.add(perWrite(cpu.used().minus(server).toNanos()));
        series.batchSizes.add(counter.averageSize());
    }

    private double perWrite(long cpuNanos) {
        return cpuNanos / 1_000.0 / counter.changes();
    }

    private static AcquireDoneLoad.FreshKeys keys(String namespace) {
        return (caller, number) -> Key.of(namespace, caller + "-" + number);
    }

    /** The measured rounds of one contestant. */
    private static final class Series {
        final MeasuredSeries clientMicros = new MeasuredSeries();
        final MeasuredSeries serverMicros = new MeasuredSeries();
        final MeasuredSeries batchSizes = new MeasuredSeries();
        private final MeasuredSeries rates = new MeasuredSeries();
        private final String name;

        Series(String name) {
            this.name = name;
        }

        void add(double rate) {
            System.out.printf("%20s %8.0f writes/s%n", name, rates.add(rate));
        }

        double median() {
            return rates.median();
        }

        void print(double plain, double theirs) {
            System.out.printf("%20s %10.0f %18.1f %10.1f", name, median(), median() / plain, median() / theirs);
            if (!clientMicros.isEmpty()) {
                double ours = clientMicros.median();
                double server = serverMicros.median();
                System.out.printf(
                        " %10.1f %9.0f us %9.0f us %9.0f us", batchSizes.median(), ours, server, ours + server);
            }
            System.out.println();
        }
    }

    /** The solution without a library: a row per key, a statement per step, each durable by itself. */
    private static double aStatementEach(HikariDataSource pool, int round) throws Exception {
        return CallerRace.roundsPerSecond(CALLERS, WARM_UP_SECONDS, SECONDS, caller -> number -> {
            String name = round + "-" + caller + "-" + number;
            UUID token = UUID.randomUUID();
            write(
                    pool,
                    "INSERT INTO lease (name, token, done) VALUES (?, ?, false) ON CONFLICT DO NOTHING",
                    name,
                    token);
            write(pool, "UPDATE lease SET done = true WHERE name = ? AND token = ?", name, token);
        });
    }

    private static void write(HikariDataSource pool, String sql, String name, UUID token) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.setObject(2, token);
            statement.executeUpdate();
        }
    }
}
