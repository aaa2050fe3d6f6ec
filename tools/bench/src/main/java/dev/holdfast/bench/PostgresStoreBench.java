package dev.holdfast.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
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

    private final BatchCounter batchCounter = new BatchCounter();
    private final PgbenchLoad pgbenchLoad;
    private final ServerCpuTime cpu;
    private final String url;

    private PostgresStoreBench(EmbeddedPostgres postgres) throws SQLException {
        pgbenchLoad = new PgbenchLoad(postgres.getPort());
        cpu = new ServerCpuTime(postgres.getPostgresDatabase());
        url = "postgresql://postgres:postgres@localhost:" + postgres.getPort() + "/postgres"
                + System.getProperty("parameters", "");
    }

    public static void main(String[] arguments) throws Exception {
        try (EmbeddedPostgres postgres = BenchStore.postgres();
                HikariDataSource pool = pool(postgres, 4)) {
            new PostgresStoreBench(postgres).compare(pool);
        }
    }

    private void compare(HikariDataSource pool) throws Exception {
        pgbenchLoad.prepare();
        Series plain = new Series("a statement each");
        Series theirs = new Series("pgbench");
        Series prepared = new Series("pgbench, prepared");
        Series threads = new Series("holdfast, threads");
        Series async = new Series("holdfast, async");
        LeasesOptions options = LeasesOptions.builder().listener(batchCounter).build();
        try (Leases leases = Holdfast.open(url, options)) {
            for (int i = 0; i < ROUNDS; i++) {
                int round = i;
                plain.add(2 * aStatementEach(pool, round));
                theirs.add(pgbenchLoad.writesPerSecond("simple", SECONDS));
                prepared.add(pgbenchLoad.writesPerSecond("prepared", SECONDS));
                measured(threads, () -> 2 * onThreads(leases, round));
                measured(async, () -> 2 * asynchronous(leases.async(), round));
            }
        }
        System.out.printf(
                "%20s %10s %18s %10s %10s %12s %12s %12s%n",
                "median of " + ROUNDS,
                "writes/s",
                ": statement each",
                ": pgbench",
                "batch",
                "our CPU",
                "server's",
                "sum");
        for (Series series : List.of(plain, theirs, prepared, threads, async)) {
            series.print(plain.median(), theirs.median());
        }
    }

    private void measured(Series series, Callable<Double> contest) throws Exception {
        batchCounter.reset();
        Duration server = cpu.used();
        Duration client = ownCpu();
        series.add(contest.call());
        series.clientMicros.add(perWrite(ownCpu().minus(client)));
        series.serverMicros.add(perWrite(cpu.used().minus(server)));
        series.batchSizes.add(batchCounter.averageSize());
    }

    private static Duration ownCpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }

    private double perWrite(Duration used) {
        return used.toNanos() / 1_000.0 / batchCounter.changes();
    }

    private static double onThreads(Leases leases, int round) throws Exception {
        return CallerRace.roundsPerSecond(
                CALLERS,
                WARM_UP_SECONDS,
                SECONDS,
                caller -> number -> leases.tryAcquire(
                                Key.of("threads-" + round, caller + "-" + number), AcquireOptions.defaults())
                        .orThrow()
                        .done());
    }

    private static double asynchronous(AsyncLeases leases, int round) throws Exception {
        return CallerRace.asyncRoundsPerSecond(
                CALLERS,
                WARM_UP_SECONDS,
                SECONDS,
                caller -> number -> leases.tryAcquire(
                                Key.of("async-" + round, caller + "-" + number), AcquireOptions.defaults())
                        .thenCompose(result -> result.orThrow().doneAsync(AttributePatch.NONE)));
    }

    /** The measured rounds of one contestant. */
    private static final class Series {
        final List<Double> clientMicros = new ArrayList<>();
        final List<Double> serverMicros = new ArrayList<>();
        final List<Double> batchSizes = new ArrayList<>();
        private final List<Double> rates = new ArrayList<>();
        private final String name;

        Series(String name) {
            this.name = name;
        }

        void add(double rate) {
            rates.add(rate);
            System.out.printf("%20s %8.0f writes/s%n", name, rate);
        }

        double median() {
            return median(rates);
        }

        void print(double plain, double theirs) {
            System.out.printf("%20s %10.0f %18.1f %10.1f", name, median(), median() / plain, median() / theirs);
            if (!clientMicros.isEmpty()) {
                double ours = median(clientMicros);
                double server = median(serverMicros);
                System.out.printf(
                        " %10.1f %9.0f us %9.0f us %9.0f us", median(batchSizes), ours, server, ours + server);
            }
            System.out.println();
        }

        private static double median(List<Double> values) {
            return values.stream().sorted().toList().get(values.size() / 2);
        }
    }

    private static HikariDataSource pool(EmbeddedPostgres postgres, int size) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(postgres.getPostgresDatabase());
        config.setMaximumPoolSize(size);
        HikariDataSource pool = new HikariDataSource(config);
        try (Connection connection = pool.getConnection();
                Statement setup = connection.createStatement()) {
            setup.execute("CREATE TABLE lease (name text PRIMARY KEY, token uuid, done boolean)");
        }
        return pool;
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
