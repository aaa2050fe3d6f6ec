package dev.holdfast.postgres;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.PastGrant;
import dev.holdfast.store.LeaseStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes from before and after the column of histories, on tables from before and after it. */
class PostgresHistoryTest {
    private static final Key KEY = Key.of("jobs", "nightly");

    private final Server server = Server.shared();
    private final String name = Server.freshSchema();

    @AfterEach
    void drop() throws SQLException {
        server.execute("DROP SCHEMA IF EXISTS " + name + " CASCADE");
    }

    /** The code before histories. */
    private LeaseStore before() throws SQLException {
        PostgresSchema schema =
                new PostgresSchema(name, new PostgresSchema(name).steps().subList(0, 1));
        return PostgresStore.open(PostgresUrl.parse(server.url(name)), schema);
    }

    private LeaseStore now() {
        return PostgresStore.open(server.url(name));
    }

    private static Leases client(LeaseStore store, String holder) {
        return Holdfast.open(
                store, LeasesOptions.builder().holder(holder).withoutCleanUp().build());
    }

    private static void hold(Leases leases) {
        leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().release();
    }

    private static LeaseStatus status(Leases leases) {
        return leases.get(KEY).orElseThrow();
    }

    @Test
    void anOlderProcessLeavesAGapAndKeepsTheRest() throws SQLException {
        try (Leases now = client(now(), "new");
                Leases before = client(before(), "old")) {
            hold(now);
            hold(before);
            hold(before);
            hold(now);

            assertThat(status(now).history().lines())
                    .extracting(PastGrant::number)
                    .containsExactly(1L, 4L);
            assertThat(status(now).entry().grants()).isEqualTo(4);
            assertThat(status(before).history().isEmpty()).isTrue();

            before.delete(KEY);
            hold(before);
            assertThat(status(now).history().isEmpty()).isTrue();
        }
    }

    @Test
    void tablesFromBeforeKeepNoneUntilTheyAreUpgraded() throws SQLException {
        before().close();
        try (Leases running = client(now(), "running")) {
            hold(running);
            assertThat(status(running).history().isEmpty()).isTrue();

            new PostgresStoreProvider().upgrade(server.url(name), text -> {});
            try (Leases now = client(now(), "new")) {
                hold(now);
                // A process that was started before the upgrade is like an older one.
                hold(running);
                hold(now);
                assertThat(status(now).history().lines())
                        .extracting(PastGrant::number)
                        .containsExactly(2L, 4L);
            }
        }
    }

    @Test
    void aMarkInTheCallersTransactionIsRecordedWithIt() throws Exception {
        try (Leases leases = client(now(), "new");
                TransactionalOnce once = TransactionalOnce.on(leases).schema(name);
                TransactionalOnce.Claim claim = requireNonNull(once.tryClaim(KEY));
                Connection connection = server.connect()) {
            connection.setAutoCommit(false);
            claim.markDone(connection);
            assertThat(status(leases).history().isEmpty()).isTrue();
            connection.commit();
            claim.committed();

            assertThat(status(leases).history().lines())
                    .extracting(PastGrant::end)
                    .isEqualTo(List.of(GrantEnd.DONE));
        }
    }
}
