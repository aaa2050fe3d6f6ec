package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.postgres.TransactionalOnce.Claim;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A transaction that Spring manages: the mark is written before its commit, on its connection. */
class SpringTransactionTest {
    private static final Key ORDER = Key.of("orders", "17");

    private final String schema = Server.freshSchema();
    private final DataSource dataSource = new DriverManagerDataSource(
            "jdbc:postgresql://localhost:" + Server.shared().port() + "/postgres", "postgres", "postgres");
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
    private Leases leases;
    private TransactionalOnce once;

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

    /** The form that docs/fencing.md shows. */
    private void processOnce(Key key, Consumer<Claim> work) {
        try (Claim claim = once.tryClaim(key)) { // Before the transaction begins.
            if (claim == null) {
                return; // Done, or held by another worker.
            }
            transaction.executeWithoutResult(status -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        try {
                            claim.markDone(DataSourceUtils.getConnection(dataSource));
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    }

                    @Override
                    public void afterCompletion(int status) {
                        if (status == STATUS_COMMITTED) {
                            claim.committed();
                        }
                    }
                });
                work.accept(claim);
            });
        }
    }

    private void ship() {
        jdbc.update("INSERT INTO " + schema + ".shipped VALUES ('17')");
    }

    private List<String> shipped() throws SQLException {
        return Server.shared().query("SELECT id FROM " + schema + ".shipped");
    }

    private LeaseState state() {
        return leases.get(ORDER).orElseThrow().state();
    }

    @Test
    void theWorkAndTheMarkAreCommittedTogether() throws SQLException {
        processOnce(ORDER, claim -> ship());
        processOnce(ORDER, claim -> ship());

        assertThat(shipped()).containsExactly("17");
        assertThat(state()).isEqualTo(LeaseState.DONE);
    }

    @Test
    void workThatFailsIsRolledBackWithItsMark() throws Exception {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> processOnce(ORDER, claim -> {
                    ship();
                    throw new IllegalArgumentException("no");
                }));

        assertThat(shipped()).isEmpty();
        Eventually.holds(() -> state() == LeaseState.FREE);
    }

    @Test
    void aKeyThatWasTakenRollsBack() throws SQLException {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> processOnce(ORDER, claim -> {
                    ship();
                    leases.evict(ORDER, "a test");
                    Objects.requireNonNull(
                            leases.tryAcquire(ORDER, AcquireOptions.defaults()).orThrow());
                }));

        assertThat(shipped()).isEmpty();
        assertThat(state()).isEqualTo(LeaseState.HELD);
    }
}
