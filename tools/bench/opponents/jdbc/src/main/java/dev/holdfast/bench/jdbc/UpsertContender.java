package dev.holdfast.bench.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A table of leases made by hand, as small and fast as it gets: one statement for each step, each a transaction of its
 * own, on rows that PostgreSQL updates in place. It has no fence, and its waiters poll.
 */
final class UpsertContender implements LockContender {
    private static final String ACQUIRE = """
            INSERT INTO lease AS l (name, token, until) VALUES (?, ?, clock_timestamp() + ? * interval '1 ms')
            ON CONFLICT (name) DO UPDATE SET token = excluded.token, until = excluded.until
            WHERE l.until < clock_timestamp()
            """;
    private static final String RENEW = """
            UPDATE lease SET until = clock_timestamp() + ? * interval '1 ms' WHERE name = ? AND token = ?
            """;
    private static final String END = "UPDATE lease SET until = ?::timestamptz WHERE name = ? AND token = ?";

    private final HikariDataSource pool;
    private final long termMillis;

    UpsertContender(HikariDataSource pool, Duration term) throws SQLException {
        this.pool = pool;
        this.termMillis = term.toMillis();
        SchemaSetup.run(pool, """
                CREATE TABLE IF NOT EXISTS lease (
                  name text PRIMARY KEY,
                  token uuid NOT NULL,
                  until timestamptz NOT NULL) WITH (fillfactor = 50)
                """);
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) throws SQLException {
        UUID token = UUID.randomUUID();
        return change(ACQUIRE, name, token, termMillis) ? Optional.of(new RowLock(name, token)) : Optional.empty();
    }

    private boolean change(String sql, Object... values) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate() == 1;
        }
    }

    @Override
    public boolean renewsItself() {
        return false;
    }

    @Override
    public boolean hasDone() {
        return true;
    }

    @Override
    public void close() {
        pool.close();
    }

    private final class RowLock implements HeldLock {
        private final String name;
        private final UUID token;

        RowLock(String name, UUID token) {
            this.name = name;
            this.token = token;
        }

        @Override
        public void release() throws SQLException {
            check(change(END, "-infinity", name, token));
        }

        @Override
        public void done() throws SQLException {
            check(change(END, "infinity", name, token));
        }

        @Override
        public void renew() throws SQLException {
            check(change(RENEW, termMillis, name, token));
        }

        private void check(boolean changed) {
            if (!changed) {
                throw new IllegalStateException(name + " was lost");
            }
        }
    }
}
