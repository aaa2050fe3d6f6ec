package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Locks that a pooler strands: pgbouncer #617 and #102. A session advisory lock belongs to a session of the server. With pooled transactions the
 * unlock may run in another session, and the lock stays. A lease of Holdfast is a row, which any session can change.
 */
class StrandedLockTest {
    private static final int ROUNDS = 100;
    private static final AcquireOptions LONG = AcquireOptions.defaults().term(Duration.ofMinutes(10));

    @TempDir
    private Path folder;

    private final String schema = Server.freshSchema();

    @Test
    void leasesAreReleasedThroughAPoolerThatStrandsAdvisoryLocks() throws Exception {
        PgBouncer.assumeInstalled(StrandedLockTest.class);
        try (PgBouncer bouncer = PgBouncer.start(folder, Server.shared(), "transaction");
                Leases first = open(bouncer, "first");
                Leases second = open(bouncer, "second");
                Connection pooled = connect(bouncer)) {
            openTwoSessions(bouncer);
            int stranded = 0;
            for (int i = 0; i < ROUNDS && stranded == 0; i++) {
                Key key = Key.of("stranded", String.valueOf(i));
                ask(pooled, "SELECT pg_try_advisory_lock(" + i + ")");
                Lease lease = first.tryAcquire(key, LONG).orThrow();
                // The pooler takes sessions in turn. With the same number of statements each time, it might be the same
                // one.
                for (int other = 0; other < i % 3; other++) {
                    ask(pooled, "SELECT true");
                }
                boolean unlocked = ask(pooled, "SELECT pg_advisory_unlock(" + i + ")");
                lease.release();

                stranded += unlocked ? 0 : 1;
                assertThat(second.tryAcquire(key, LONG).isGranted()).isTrue();
            }
            // Otherwise the pooler did nothing that could hurt.
            assertThat(stranded).isPositive();
        }
    }

    private Leases open(PgBouncer bouncer, String holder) {
        return Holdfast.open(
                bouncer.url(schema), LeasesOptions.builder().holder(holder).build());
    }

    private static Connection connect(PgBouncer bouncer) throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:"
                + bouncer.url("public").replaceFirst("postgres:postgres@", "").replaceFirst("\\?.*", ""));
        source.setUser("postgres");
        source.setPassword("postgres");
        source.setPrepareThreshold(0);
        return source.getConnection();
    }

    /** A session is shared only after its transaction, so the pooler needs two for two open transactions. */
    private static void openTwoSessions(PgBouncer bouncer) throws SQLException {
        try (Connection one = connect(bouncer);
                Connection other = connect(bouncer)) {
            one.setAutoCommit(false);
            other.setAutoCommit(false);
            ask(one, "SELECT true");
            ask(other, "SELECT true");
            one.rollback();
            other.rollback();
        }
    }

    private static boolean ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
