package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.Once;
import dev.holdfast.postgres.TransactionalOnce.Claim;
import dev.holdfast.service.TransactionalDone.CommitOutcome;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

class TransactionalOnceTest {
    private static final Key ORDER = Key.of("orders", "17");

    private final String schema = Server.freshSchema();
    private final PGSimpleDataSource dataSource = dataSource();
    private Leases leases;
    private TransactionalOnce once;

    private static PGSimpleDataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://localhost:" + Server.shared().port() + "/postgres");
        source.setUser("postgres");
        source.setPassword("postgres");
        return source;
    }

    @BeforeEach
    void open() throws SQLException {
        leases = Holdfast.open(Server.shared().url(schema));
        once = TransactionalOnce.on(leases).schema(schema);
        Server.shared().execute("CREATE TABLE " + schema + ".shipped (id text)");
    }

    @AfterEach
    void close() {
        once.close();
        leases.close();
    }

    private void ship(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO " + schema + ".shipped VALUES ('17')");
        }
    }

    private List<String> shipped() throws SQLException {
        return Server.shared().query("SELECT id FROM " + schema + ".shipped");
    }

    private LeaseState state() {
        return leases.get(ORDER).orElseThrow().state();
    }

    private Claim claim() {
        return Objects.requireNonNull(once.tryClaim(ORDER));
    }

    private Connection transaction(int isolation) throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(isolation);
        return connection;
    }

    @Test
    void theWorkAndTheMarkAreCommittedTogether() throws Exception {
        Once.Result<Integer> result = once.call(ORDER, dataSource, (connection, lease) -> {
            ship(connection);
            return 1;
        });

        assertThat(result).isEqualTo(new Once.Result.Ran<>(1));
        assertThat(shipped()).containsExactly("17");
        assertThat(state()).isEqualTo(LeaseState.DONE);
        assertThat(once.run(ORDER, dataSource, (connection, lease) -> ship(connection)))
                .isInstanceOf(Once.Result.AlreadyDone.class);
        assertThat(shipped()).containsExactly("17");
    }

    @Test
    void workThatFailsLeavesNothingAndTheKeyFree() throws Exception {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> once.run(ORDER, dataSource, (connection, lease) -> {
                    ship(connection);
                    throw new IOException("no");
                }));

        assertThat(shipped()).isEmpty();
        Eventually.holds(() -> state() == LeaseState.FREE);
        assertThat(once.run(ORDER, dataSource, (connection, lease) -> ship(connection)))
                .isInstanceOf(Once.Result.Ran.class);
        assertThat(shipped()).containsExactly("17");
    }

    @Test
    void aKeyThatAnotherWorkerHasIsLeftAlone() throws Exception {
        try (Leases other = Holdfast.open(Server.shared().url(schema));
                TransactionalOnce others = TransactionalOnce.on(other).schema(schema);
                Claim theirs = Objects.requireNonNull(others.tryClaim(ORDER))) {
            assertThat(once.run(ORDER, dataSource, (connection, lease) -> ship(connection)))
                    .isInstanceOf(Once.Result.HeldElsewhere.class);
            assertThat(theirs.lease().isHeld()).isTrue();
        }
        assertThat(shipped()).isEmpty();
    }

    /** The renewals of the anchor go on meanwhile, and must not conflict with the transaction. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void itWorksUnderEveryIsolationLevelWhileTheAnchorIsRenewed(int isolation) throws Exception {
        TransactionalOnce brief = once.term(Duration.ofSeconds(2));
        try (brief;
                Claim claim = Objects.requireNonNull(brief.tryClaim(ORDER));
                Connection connection = transaction(isolation)) {
            ship(connection);
            Thread.sleep(1500); // Two renewals.
            claim.markDone(connection);
            assertThat(claim.lease().isHeld()).isFalse();
            connection.commit();
            claim.committed();
        }
        assertThat(state()).isEqualTo(LeaseState.DONE);
        assertThat(shipped()).containsExactly("17");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aTransactionWhoseKeyWasTakenFails(int isolation) throws Exception {
        try (Claim claim = claim();
                Connection connection = transaction(isolation)) {
            ship(connection);
            leases.evict(ORDER, "a test");
            leases.tryAcquire(ORDER, AcquireOptions.defaults()).orThrow();

            if (isolation == Connection.TRANSACTION_READ_COMMITTED) {
                assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> claim.markDone(connection));
            } else {
                assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(() -> claim.markDone(connection))
                        .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("40001"));
            }
            connection.rollback();
        }
        assertThat(shipped()).isEmpty();
        assertThat(state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void aLeaseThatExpiredAndWasNotTakenMayCommit() throws Exception {
        TransactionalOnce brief = once.term(Duration.ofSeconds(20));
        try (Leases unrenewed = Holdfast.open(Server.shared().url(schema));
                Claim claim = Objects.requireNonNull(brief.tryClaim(ORDER));
                Connection connection = transaction(Connection.TRANSACTION_READ_COMMITTED)) {
            ship(connection);
            brief.close(); // Ends the anchor, and so the lease.
            assertThat(claim.lease().isHeld()).isFalse();
            claim.markDone(connection);
            connection.commit();
            claim.committed();
            assertThat(unrenewed.get(ORDER).orElseThrow().state()).isEqualTo(LeaseState.DONE);
        }
        assertThat(shipped()).containsExactly("17");
    }

    /** The mark is written and not committed: another worker must not be granted the key, however long that takes. */
    @Test
    void theRowLockExcludesOthersAfterTheMark() throws Exception {
        TransactionalOnce brief = once.term(Duration.ofSeconds(20));
        try (Leases other = Holdfast.open(Server.shared().url(schema, "step=0ms"));
                Claim claim = Objects.requireNonNull(brief.tryClaim(ORDER));
                Connection connection = transaction(Connection.TRANSACTION_READ_COMMITTED)) {
            ship(connection);
            claim.markDone(connection);
            brief.close(); // Ends the anchor, so that others may be granted the key at once.
            CompletableFuture<AcquireResult> waiting =
                    other.async().tryAcquire(ORDER, AcquireOptions.defaults()).toCompletableFuture();
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> waiting.get(1, TimeUnit.SECONDS));
            connection.commit();
            claim.committed();
            assertThat(waiting.get(60, TimeUnit.SECONDS)).isInstanceOf(AcquireResult.Done.class);
        }
        assertThat(state()).isEqualTo(LeaseState.DONE);
    }

    @Test
    void aRollbackToASavepointUndoesTheMark() throws Exception {
        try (Claim claim = claim();
                Connection connection = transaction(Connection.TRANSACTION_READ_COMMITTED)) {
            Savepoint before = connection.setSavepoint();
            claim.markDone(connection);
            connection.rollback(before);
            connection.commit();
            assertThat(claim.settle()).isEqualTo(CommitOutcome.ROLLED_BACK);
        }
        assertThat(state()).isEqualTo(LeaseState.FREE);
    }

    @Test
    void aConnectionWithoutATransactionIsRefused() throws Exception {
        try (Claim claim = claim();
                Connection connection = dataSource.getConnection()) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> claim.markDone(connection))
                    .withMessageContaining("auto-commit");
        }
    }

    @Test
    void aReadOnlyTransactionIsRefused() throws Exception {
        try (Claim claim = claim();
                Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> claim.markDone(connection))
                    .withMessageContaining("read-only");
            connection.rollback();
        }
    }

    @Test
    void anotherDatabaseIsRefused() throws Exception {
        String elsewhere = Server.freshSchema();
        Holdfast.open(Server.shared().url(elsewhere)).close(); // It has tables of its own.
        TransactionalOnce mistaken = once.schema(elsewhere);
        try (mistaken;
                Claim claim = Objects.requireNonNull(mistaken.tryClaim(ORDER));
                Connection connection = transaction(Connection.TRANSACTION_READ_COMMITTED)) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> claim.markDone(connection))
                    .withMessageContaining("the database and schema that the leases are in");
            connection.rollback();
        }
        TransactionalOnce absent = once.schema("no_such_schema");
        try (absent;
                Claim claim = Objects.requireNonNull(absent.tryClaim(Key.of("orders", "18")));
                Connection connection = transaction(Connection.TRANSACTION_READ_COMMITTED)) {
            assertThatThrownBy(() -> claim.markDone(connection))
                    .hasMessageContaining("schema no_such_schema is missing");
            connection.rollback();
        }
    }

    @Test
    void tablesOfANewerHoldfastAreRefused() throws Exception {
        try (Claim claim = claim();
                Connection connection = transaction(Connection.TRANSACTION_READ_COMMITTED)) {
            Server.shared()
                    .execute("UPDATE " + schema + ".meta SET schema_version = 99, min_reader = 99, min_writer = 99");
            assertThatThrownBy(() -> claim.markDone(connection)).hasMessageContaining("use a newer Holdfast");
            connection.rollback();
            Server.shared()
                    .execute("UPDATE " + schema + ".meta SET schema_version = 2, min_reader = 1, min_writer = 1");
        }
    }

    @Test
    void aClosedOneClaimsNothing() {
        once.close();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> once.tryClaim(ORDER))
                .withMessageContaining("closed");
    }

    @Test
    void anUnboundedSettleTimeIsRejected() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> once.settleTime(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("settleTime");
    }
}
