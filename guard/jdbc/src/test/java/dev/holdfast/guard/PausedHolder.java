package dev.holdfast.guard;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A process that adds 100 to a balance under a lease, as a program does that trusts its lease: it reads the balance, checks that
 * it holds the lease, and writes. The test pauses it between the check and the write.
 */
final class PausedHolder {
    static final Key KEY = Key.of("accounts", "1");

    private PausedHolder() {}

    /** Arguments: the store of leases, the database, the isolation level or 0, and whether to use the guard. */
    public static void main(String[] args) throws Exception {
        int isolation = Integer.parseInt(args[2]);
        boolean guarded = Boolean.parseBoolean(args[3]);
        try (Leases leases = Holdfast.open(args[0])) {
            AcquireOptions brief = AcquireOptions.defaults().term(Duration.ofSeconds(2));
            Lease lease = leases.acquire(KEY, brief, Duration.ofSeconds(60)).orThrow();
            int balance = balance(args[1]);
            PausedProcess.pauseHere(lease.isHeld()); // For longer than the term.
            System.out.println(write(args[1], isolation, guarded ? lease : null, balance + 100));
        }
    }

    private static int balance(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT balance FROM account WHERE id = 1")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** @param guardedBy null to write without a check */
    static String write(String url, int isolation, @Nullable Lease guardedBy, int balance) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            if (isolation != 0) {
                connection.setTransactionIsolation(isolation);
            }
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                if (guardedBy != null) {
                    FenceGuard.jdbc().check(connection, guardedBy);
                }
                statement.execute("UPDATE account SET balance = " + balance + " WHERE id = 1");
                connection.commit();
                return "written";
            } catch (StaleFenceException e) {
                connection.rollback();
                return "refused";
            }
        }
    }
}
