package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A lock that is born expired: ShedLock #3682, a follow-up to #3577. There, a provider could join the transaction of the caller, and
 * {@code now()} is the time when that began. Here, leases have their own connections, and statements read the clock when they run.
 */
class OldTransactionTest {
    private static final Server SERVER = Server.shared();
    private static final Duration TERM = Duration.ofSeconds(3);
    private static final String TERM_IN_SQL = "interval '" + TERM.toSeconds() + " seconds'";
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(TERM);

    private final String schema = Server.freshSchema();

    @Test
    void aLeaseThatIsAcquiredDuringAnOldTransactionHasItsWholeTerm() throws Exception {
        Key key = Key.of("nightly");
        try (Leases first = open("first");
                Leases second = open("second");
                Connection ambient = SERVER.connect()) {
            SERVER.execute("CREATE TABLE " + schema + ".lock (name text PRIMARY KEY, until timestamptz NOT NULL)");
            ambient.setAutoCommit(false);
            execute(ambient, "INSERT INTO " + schema + ".lock VALUES ('nightly', now())");
            ambient.commit();
            letItGrowOlderThanTheTerm(ambient);

            boolean firstLocks = lockByNow(ambient);
            boolean firstIsGranted = first.tryAcquire(key, OPTIONS).isGranted();
            ambient.commit();
            boolean secondIsGranted = second.tryAcquire(key, OPTIONS).isGranted();
            boolean secondLocks = lockByNow(ambient);
            ambient.commit();

            assertThat(firstIsGranted).isTrue();
            assertThat(secondIsGranted).isFalse();
            // The mistake itself, at the same moments: both instances would run their task.
            assertThat(firstLocks).isTrue();
            assertThat(secondLocks).isTrue();
        }
    }

    private Leases open(String holder) {
        return Holdfast.open(
                SERVER.url(schema), LeasesOptions.builder().holder(holder).build());
    }

    /** The transaction has read {@code now()}; the database's clock goes on meanwhile. */
    private static void letItGrowOlderThanTheTerm(Connection ambient) throws Exception {
        Eventually.holds(() -> execute(ambient, "SELECT 1 WHERE clock_timestamp() > now() + " + TERM_IN_SQL) == 1);
    }

    /** Locks as a table of locks does whose statement takes the time of its transaction. */
    private boolean lockByNow(Connection connection) throws SQLException {
        String sql =
                "UPDATE " + schema + ".lock SET until = now() + " + TERM_IN_SQL + " WHERE until <= now() RETURNING 1";
        return execute(connection, sql) == 1;
    }

    /** The number of rows that a statement returns or changes. */
    private static int execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return statement.getUpdateCount();
            }
            return statement.getResultSet().next() ? 1 : 0;
        }
    }
}
