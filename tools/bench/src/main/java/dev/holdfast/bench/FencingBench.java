package dev.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.Once;
import dev.holdfast.guard.FenceGuard;
import dev.holdfast.guard.JdbcDialect;
import dev.holdfast.guard.JdbcFenceGuard;
import dev.holdfast.postgres.TransactionalOnce;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * A benchmark of the cost of fences on durable PostgreSQL: a guarded transaction beside the same without a guard, and work that is
 * exactly once beside work that is marked done after its commit. All are measured in turn, several times.
 */
public final class FencingBench {
    private static final int CALLERS = 8;
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    private static final int WARM_UP_SECONDS = 1;
    private static final int SECONDS = 4;

    private final Map<String, MeasuredSeries> all = new LinkedHashMap<>();
    private final HikariDataSource pool;
    private final Leases leases;

    private FencingBench(HikariDataSource pool, Leases leases) {
        this.pool = pool;
        this.leases = leases;
    }

    public static void main(String[] arguments) throws Exception {
        try (BenchStore.Postgres postgres = new BenchStore.Postgres();
                HikariDataSource pool = BenchStore.pool(postgres.database(), CALLERS);
                Leases leases = Holdfast.open(postgres.url())) {
            execute(pool, "CREATE TABLE work (caller int NOT NULL, number bigint NOT NULL)");
            execute(pool, FenceGuard.jdbc().createTable(JdbcDialect.POSTGRESQL));
            new FencingBench(pool, leases).compare();
        }
    }

    private void compare() throws Exception {
        JdbcFenceGuard guard = FenceGuard.jdbc();
        Lease[] held = new Lease[CALLERS];
        for (int i = 0; i < CALLERS; i++) {
            held[i] = leases.tryAcquire(Key.of("bench", "guarded-" + i), AcquireOptions.defaults())
                    .orThrow();
        }
        Once once = Once.with(leases);
        try (TransactionalOnce exactlyOnce = TransactionalOnce.on(leases)) {
            for (int i = 0; i < ROUNDS; i++) {
                int round = i;
                measure("transaction", caller -> number -> transact(caller, number));
                measure(
                        "guarded transaction",
                        caller -> number -> guard.inTransaction(
                                pool, held[caller], connection -> write(connection, caller, number)));
                measure(
                        "done after the commit",
                        caller -> number ->
                                once.run(key("after", round, caller, number), lease -> transact(caller, number)));
                measure(
                        "exactly once",
                        caller -> number -> exactlyOnce.run(
                                key("exactly", round, caller, number),
                                pool,
                                (connection, lease) -> write(connection, caller, number)));
            }
        }
        System.out.printf("guarded : unguarded transaction     %.2f%n", ratio("guarded transaction", "transaction"));
        System.out.printf("exactly once : done after commit    %.2f%n", ratio("exactly once", "done after the commit"));
    }

    private static Key key(String kind, int round, int caller, long number) {
        return Key.of("bench-" + kind, round + "-" + caller + "-" + number);
    }

    private void measure(String name, IntFunction<CallerRace.Round> rounds) throws Exception {
        double rate = CallerRace.roundsPerSecond(CALLERS, WARM_UP_SECONDS, SECONDS, rounds);
        all.computeIfAbsent(name, it -> new MeasuredSeries()).add(rate);
        System.out.printf("%24s %8.0f/s%n", name, rate);
    }

    private double ratio(String name, String other) {
        return Objects.requireNonNull(all.get(name)).median()
                / Objects.requireNonNull(all.get(other)).median();
    }

    private void transact(int caller, long number) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            write(connection, caller, number);
            connection.commit();
        }
    }

    private static void write(Connection connection, int caller, long number) throws SQLException {
        execute(connection, "INSERT INTO work VALUES (" + caller + ", " + number + ")");
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            execute(connection, sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
