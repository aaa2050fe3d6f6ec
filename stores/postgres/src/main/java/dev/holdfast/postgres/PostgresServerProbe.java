package dev.holdfast.postgres;

import dev.holdfast.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import org.postgresql.PGConnection;

/**
 * Properties of the server at the other end of a connection.
 *
 * @param behindPooler whether the process that we connected to is not the one that runs our statements
 * @param isolation the default isolation of transactions
 */
record PostgresServerProbe(int majorVersion, String version, String encoding, String isolation, boolean behindPooler) {
    /** The first version that can be forced to materialize a part of a statement. */
    static final int OLDEST_VERSION = 12;

    /**
     * Queries the server. A pooler such as PgBouncer has its own key by which clients cancel statements. So the process
     * id announced with that key is not the id of the server's process.
     *
     * @param connection prepares nothing, because the pooler may not know a prepared statement the next time
     */
    static PostgresServerProbe of(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid(), current_setting('server_encoding'),"
                        + " current_setting('default_transaction_isolation')")) {
            row.next();
            int announced = connection.unwrap(PGConnection.class).getBackendPID();
            return new PostgresServerProbe(
                    connection.getMetaData().getDatabaseMajorVersion(),
                    connection.getMetaData().getDatabaseProductVersion(),
                    row.getString(2),
                    row.getString(3),
                    row.getInt(1) != announced);
        }
    }

    /** @throws StoreException if Holdfast cannot work with this server */
    void check(boolean pooled) {
        if (majorVersion < OLDEST_VERSION) {
            throw refused("version " + version, OLDEST_VERSION + " or later");
        }
        if (!encoding.equals("UTF8")) {
            throw refused("encoding of the database: " + encoding, "UTF8");
        }
        // A direct connection sets it for its session. Behind a pooler, the transaction has already begun when it could
        // be set.
        if (pooled && !isolation.equals("read committed")) {
            throw refused(
                    "default_transaction_isolation behind a connection pooler: " + isolation,
                    "read committed, by ALTER ROLE ... SET default_transaction_isolation");
        }
    }

    private static StoreException refused(String found, String expected) {
        return StoreException.rejected("PostgreSQL: " + found + " (expected: " + expected + ")", null);
    }

    /** Returns the settings among {@code names} that the server has. */
    static Set<String> known(Connection connection, Set<String> names) throws SQLException {
        Set<String> known = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT name FROM pg_settings WHERE name = ANY (string_to_array(?, ' '))")) {
            statement.setString(1, String.join(" ", names));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    known.add(rows.getString(1));
                }
            }
        }
        return known;
    }
}
