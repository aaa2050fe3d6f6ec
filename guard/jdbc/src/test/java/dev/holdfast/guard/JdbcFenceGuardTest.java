package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class JdbcFenceGuardTest {
    private static final Key KEY = Key.of("jobs", "nightly");
    private static final Fence OLD = Fence.of(1_800_000_000_000_033L);
    private static final Fence NEW = Fence.of(1_800_000_000_000_034L);

    private final JdbcFenceGuard guard = FenceGuard.jdbc();

    @TempDir
    private Path folder;

    /** Every database with every isolation level that it has. */
    static Stream<Arguments> levels() {
        return Stream.of(JdbcDialect.values()).flatMap(dialect -> switch (dialect) {
            case SQLITE -> Stream.of(Arguments.of(dialect, Connection.TRANSACTION_SERIALIZABLE));
            default ->
                Stream.of(
                                Connection.TRANSACTION_READ_COMMITTED,
                                Connection.TRANSACTION_REPEATABLE_READ,
                                Connection.TRANSACTION_SERIALIZABLE)
                        .map(level -> Arguments.of(dialect, level));
        });
    }

    private void checked(TestDatabase database, int isolation, Key key, Fence fence) throws SQLException {
        try (Connection connection = database.begin(isolation)) {
            guard.check(connection, key, fence);
            connection.commit();
        }
    }

    @ParameterizedTest
    @MethodSource("levels")
    void anOlderFenceIsRefusedAndTheSameOnePasses(JdbcDialect dialect, int isolation) throws Exception {
        TestDatabase database = TestDatabase.open(dialect, folder);
        checked(database, isolation, KEY, OLD);
        checked(database, isolation, KEY, OLD);
        checked(database, isolation, KEY, NEW);
        checked(database, isolation, KEY, NEW);

        assertThatExceptionOfType(StaleFenceException.class)
                .isThrownBy(() -> checked(database, isolation, KEY, OLD))
                .withMessageContaining(String.valueOf(OLD.value()))
                .withMessageContaining(String.valueOf(NEW.value()));
        checked(database, isolation, Key.of("jobs", "NIGHTLY"), OLD);
        checked(database, isolation, Key.of("jobs", "nightly "), OLD);
    }

    /** The old holder's transaction began, and read, before the new holder's check: its snapshot does not show that. */
    @ParameterizedTest
    @MethodSource("levels")
    void aSnapshotDoesNotLetAnOldHolderThrough(JdbcDialect dialect, int isolation) throws Exception {
        TestDatabase database = TestDatabase.open(dialect, folder);
        for (Key key : new Key[] {KEY, Key.of("never", "checked before")}) {
            if (key.equals(KEY)) {
                checked(database, isolation, key, OLD);
            }
            try (Connection old = database.begin(isolation)) {
                balance(old);
                checked(database, isolation, key, NEW);
                assertThatThrownBy(() -> {
                            guard.check(old, key, OLD);
                            old.commit();
                        })
                        .isInstanceOfAny(StaleFenceException.class, SQLException.class);
                old.rollback();
            }
            checked(database, isolation, key, NEW);
        }
    }

    /** The new holder waits until the old one's transaction has ended, so no write of the old one comes later. */
    @ParameterizedTest
    @EnumSource(
            value = JdbcDialect.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = "SQLITE") // SQLite has one writer at a time anyway.
    void aNewHolderWaitsForTheTransactionOfAnOldOne(JdbcDialect dialect) throws Exception {
        TestDatabase database = TestDatabase.open(dialect, folder);
        checked(database, 0, KEY, OLD);
        CompletableFuture<Void> next;
        try (Connection old = database.begin(0)) {
            guard.check(old, KEY, OLD);
            next = CompletableFuture.runAsync(() -> {
                try {
                    checked(database, 0, KEY, NEW);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            Thread.sleep(300);
            assertThat(next).isNotDone();
            old.commit();
        }
        next.get(60, TimeUnit.SECONDS);
        assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> checked(database, 0, KEY, OLD));
    }

    @ParameterizedTest
    @EnumSource(JdbcDialect.class)
    void mistakesAreNamed(JdbcDialect dialect) throws Exception {
        TestDatabase database = TestDatabase.open(dialect, folder);
        try (Connection connection = database.connect()) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> guard.check(connection, KEY, OLD))
                    .withMessageContaining("auto-commit");
        }
        try (Connection connection = database.begin(0)) {
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> guard.table("no_such_table").check(connection, KEY, OLD))
                    .withMessageContaining("CREATE TABLE no_such_table");
            connection.rollback();
        }
        assertThatThrownBy(() -> guard.lockTimeout(Duration.ZERO)).hasMessageContaining("lockTimeout: PT0S");
        assertThatThrownBy(() -> guard.idleTimeout(Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageContaining("idleTimeout");
        assertThatThrownBy(() -> guard.table("a; DROP TABLE b")).hasMessageContaining("schema.name");
    }

    @ParameterizedTest
    @EnumSource(JdbcDialect.class)
    void aResetForgetsTheNewestFence(JdbcDialect dialect) throws Exception {
        TestDatabase database = TestDatabase.open(dialect, folder);
        checked(database, 0, KEY, NEW);
        try (Connection connection = database.begin(0)) {
            guard.reset(connection, KEY);
            connection.commit();
        }
        assertThatCode(() -> checked(database, 0, KEY, OLD)).doesNotThrowAnyException();
    }

    private static int balance(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT balance FROM account WHERE id = 1")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
