package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Once;
import dev.holdfast.StoreException;
import dev.holdfast.postgres.CommitCutter.Cut;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Commits whose answers never arrive: the caller learns the truth, and the work is committed with its mark, or not at all. */
class CutCommitTest {
    private static final Key ORDER = Key.of("orders", "17");

    private final String schema = Server.freshSchema();
    private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
    private String serverPatience = "3s";
    private CommitCutter cutter;
    private Leases leases;
    private TransactionalOnce once;

    @BeforeEach
    void open() throws Exception {
        cutter = new CommitCutter(Server.shared().port());
        dataSource.setUrl("jdbc:postgresql://localhost:" + cutter.port() + "/postgres?socketTimeout=2");
        dataSource.setUser("postgres");
        dataSource.setPassword("postgres");
        leases = Holdfast.open(Server.shared().url(schema));
        once = TransactionalOnce.on(leases).schema(schema);
        Server.shared().execute("CREATE TABLE " + schema + ".shipped (id text)");
    }

    @AfterEach
    void close() throws IOException {
        once.close();
        leases.close();
        cutter.close();
    }

    private Once.Result<?> ship() throws Exception {
        return once.run(ORDER, dataSource, (connection, lease) -> ship(connection));
    }

    private void ship(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // The server gives up a transaction whose client is silent. Shorter than usual, for a short test.
            statement.execute("SET idle_in_transaction_session_timeout = '" + serverPatience + "'");
            statement.execute("INSERT INTO " + schema + ".shipped VALUES ('17')");
        }
    }

    private List<String> shipped() throws SQLException {
        return Server.shared().query("SELECT id FROM " + schema + ".shipped");
    }

    private LeaseState state() {
        return leases.get(ORDER).orElseThrow().state();
    }

    private void isNotCommittedAndCanBeRepeated() throws Exception {
        assertThat(shipped()).isEmpty();
        assertThat(state()).isEqualTo(LeaseState.FREE);
        cutter.cut(Cut.NONE);
        assertThat(ship()).isInstanceOf(Once.Result.Ran.class);
        assertThat(shipped()).containsExactly("17");
    }

    @Test
    void aCommitThatDidNotReachTheServerIsARollback() throws Exception {
        cutter.cut(Cut.BEFORE);

        assertThatExceptionOfType(SQLException.class).isThrownBy(this::ship);

        isNotCommittedAndCanBeRepeated();
    }

    /** The server still waits for the commit: a read would find the key held, and tell nothing. */
    @Test
    void aCommitThatTheServerStillWaitsForIsSettledWhenItGivesUp() throws Exception {
        cutter.cut(Cut.SWALLOWED);

        assertThatExceptionOfType(SQLException.class).isThrownBy(this::ship);

        isNotCommittedAndCanBeRepeated();
    }

    @Test
    void aCommitWhoseAnswerWasLostIsFoundOut() throws Exception {
        cutter.cut(Cut.AFTER);

        assertThat(ship()).isInstanceOf(Once.Result.Ran.class);

        assertThat(shipped()).containsExactly("17");
        assertThat(state()).isEqualTo(LeaseState.DONE);
        assertThat(ship()).isInstanceOf(Once.Result.AlreadyDone.class);
    }

    @Test
    void aCommitThatCannotBeSettledInTimeIsUnknown() throws Exception {
        serverPatience = "7s";
        LeasesOptions brief = LeasesOptions.builder()
                .operationTimeout(Duration.ofMillis(300))
                .settleTimeout(Duration.ofMillis(300))
                .build();
        try (Leases hurried = Holdfast.open(Server.shared().url(schema), brief);
                TransactionalOnce hasty =
                        TransactionalOnce.on(hurried).schema(schema).settleTime(Duration.ofMillis(100))) {
            cutter.cut(Cut.SWALLOWED);

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> hasty.run(ORDER, dataSource, (connection, lease) -> ship(connection)))
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.UNKNOWN));

            // It is released as soon as the server gives up the transaction.
            Eventually.holds(() -> state() == LeaseState.FREE);
        }
        isNotCommittedAndCanBeRepeated();
    }
}
