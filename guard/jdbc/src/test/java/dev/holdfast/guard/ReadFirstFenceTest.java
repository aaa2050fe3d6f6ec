package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A fence that is checked by reading first. Under REPEATABLE READ a transaction reads from its snapshot, which does not show the fence of
 * a newer holder, so the write of an old holder passes. The guard decides by one conditional write, which no snapshot can mislead.
 */
class ReadFirstFenceTest {
    private static final Key KEY = Key.of("jobs", "nightly");
    private static final Fence OLD = Fence.of(1_800_000_000_000_033L);
    private static final Fence NEW = Fence.of(1_800_000_000_000_034L);

    private final JdbcFenceGuard guard = FenceGuard.jdbc();

    @TempDir
    private Path folder;

    /** A check of the fence in a transaction. */
    private interface FenceCheck {
        void check(Connection connection, Fence fence) throws SQLException;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "H2"})
    void aGuardRejectsTheOldHolder(JdbcDialect dialect) throws Exception {
        TestDatabase database = TestDatabase.open(dialect, folder);

        assertThatThrownBy(() -> writeAsOldHolder(database, (connection, fence) -> guard.check(connection, KEY, fence)))
                .isInstanceOfAny(StaleFenceException.class, SQLException.class);
        assertThat(database.query("SELECT balance FROM account WHERE id = 2")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "H2"})
    void aCheckThatReadsFirstLetsTheOldHolderWrite(JdbcDialect dialect) throws Exception {
        TestDatabase database = TestDatabase.open(dialect, folder);
        writeAsOldHolder(database, ReadFirstFenceTest::readFirst);

        assertThat(database.query("SELECT balance FROM account WHERE id = 2")).containsExactly(33);
    }

    /** The transaction of the old holder has begun and read. Then the new holder checks its fence, and the old one writes. */
    private void writeAsOldHolder(TestDatabase database, FenceCheck check) throws SQLException {
        checked(database, OLD);
        try (Connection old = database.begin(Connection.TRANSACTION_REPEATABLE_READ)) {
            try (Statement statement = old.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT count(*) FROM holdfast_fence")) {
                assertThat(rows.next()).isTrue();
            }
            checked(database, NEW);
            check.check(old, OLD);
            try (Statement statement = old.createStatement()) {
                statement.executeUpdate("INSERT INTO account VALUES (2, 33)");
            }
            old.commit();
        }
    }

    private void checked(TestDatabase database, Fence fence) throws SQLException {
        try (Connection connection = database.begin(Connection.TRANSACTION_REPEATABLE_READ)) {
            guard.check(connection, KEY, fence);
            connection.commit();
        }
    }

    private static void readFirst(Connection connection, Fence fence) throws SQLException {
        String newer = "SELECT 1 FROM holdfast_fence WHERE namespace = ? AND name = ? AND fence > ?";
        try (PreparedStatement statement = connection.prepareStatement(newer)) {
            statement.setString(1, KEY.namespace());
            statement.setString(2, KEY.name());
            statement.setLong(3, fence.value());
            try (ResultSet rows = statement.executeQuery()) {
                if (rows.next()) {
                    throw new SQLException("a newer holder was seen");
                }
            }
        }
    }
}
