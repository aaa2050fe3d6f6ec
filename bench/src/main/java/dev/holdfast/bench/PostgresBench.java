package dev.holdfast.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.model.Key;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * PostgreSQL, durable: acquire(new key) then done, which is two writes, with 64 callers in one process. Beside it, on the
 * same server in the same run: the same two writes as a statement each, on as many connections as Holdfast uses, and
 * pgbench, with 16 clients that update one row by its primary key.
 *
 * <p>All are measured in turn, several times, and the medians compared: the machine may have other things to do.
 */
public final class PostgresBench {
    private static final int CALLERS = 64;
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    private static final int WARM_UP_SECONDS = 2;
    private static final int SECONDS = 6;

    private PostgresBench() {}

    public static void main(String[] arguments) throws Exception {
        try (EmbeddedPostgres postgres = BenchStore.postgres()) {
            compare(postgres);
        }
    }

    private static void compare(EmbeddedPostgres postgres) throws Exception {
        Pgbench pgbench = new Pgbench(postgres.getPort());
        pgbench.prepare();
        Batches batches = new Batches();
        LeasesOptions options = LeasesOptions.builder().listener(batches).build();
        List<Double> plain = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        ServerCpu cpu = new ServerCpu(postgres.getPostgresDatabase());
        List<Double> serverMicros = new ArrayList<>();
        List<Double> clientMicros = new ArrayList<>();
        String url = "postgresql://postgres:postgres@localhost:" + postgres.getPort() + "/postgres"
                + System.getProperty("parameters", "");
        System.out.printf(
                "%8s %26s %22s %22s %12s%n", "round", "a statement each", "pgbench", "holdfast", "batch size");
        try (Leases leases = Holdfast.open(url, options);
                HikariDataSource pool = pool(postgres, 4)) {
            for (int round = 1; round <= ROUNDS; round++) {
                plain.add(2 * aStatementEach(pool, round));
                theirs.add(pgbench.writesPerSecond(SECONDS));
                batches.reset();
                Duration server = cpu.used();
                Duration client = ownCpu();
                ours.add(2 * holdfast(leases, round));
                serverMicros.add(perWrite(cpu.used().minus(server), batches));
                clientMicros.add(perWrite(ownCpu().minus(client), batches));
                print(String.valueOf(round), plain.get(round - 1), theirs.get(round - 1), ours.get(round - 1), batches);
            }
        }
        print("median", median(plain), median(theirs), median(ours), batches);
        System.out.printf(
                "%nholdfast : a statement each = %.1f, holdfast : pgbench = %.1f%n",
                median(ours) / median(plain), median(ours) / median(theirs));
        System.out.printf(
                "CPU of a write: %.0f us in this process, %.0f us in the server's%n",
                median(clientMicros), median(serverMicros));
    }

    private static Duration ownCpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }

    private static double perWrite(Duration used, Batches batches) {
        return used.toNanos() / 1_000.0 / batches.changes();
    }

    private static void print(String name, double plain, double theirs, double ours, Batches batches) {
        System.out.printf(
                "%8s %17.0f writes/s %13.0f writes/s %13.0f writes/s %12.1f%n",
                name, plain, theirs, ours, batches.averageSize());
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static double holdfast(Leases leases, int round) throws Exception {
        return Race.roundsPerSecond(
                CALLERS,
                WARM_UP_SECONDS,
                SECONDS,
                caller -> number -> leases.tryAcquire(
                                Key.of("bench-" + round, caller + "-" + number), AcquireOptions.defaults())
                        .orThrow()
                        .done());
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

    /** What one would write without a library: a row per key, a statement per step, each durable by itself. */
    private static double aStatementEach(HikariDataSource pool, int round) throws Exception {
        return Race.roundsPerSecond(CALLERS, WARM_UP_SECONDS, SECONDS, caller -> number -> {
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
