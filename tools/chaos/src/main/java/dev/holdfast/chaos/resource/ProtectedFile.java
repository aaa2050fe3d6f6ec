package dev.holdfast.chaos.resource;

import dev.holdfast.guard.FenceGuard;
import dev.holdfast.guard.JdbcDialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.SQLiteConfig;

/**
 * The resource that the leases protect: an SQLite file of the harness, never the store under test. It has a counter for each key,
 * and a row for every write in commit order.
 */
public final class ProtectedFile {
    /** A client that is stopped within a transaction blocks the others for as long. */
    private static final int BUSY_MILLIS = 60_000;

    private final Path path;

    public ProtectedFile(Path path) {
        this.path = path;
    }

    public void create() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(FenceGuard.jdbc().createTable(JdbcDialect.SQLITE));
            statement.execute("CREATE TABLE counter (key text PRIMARY KEY, value bigint NOT NULL)");
            statement.execute("CREATE TABLE witness (seq integer PRIMARY KEY AUTOINCREMENT, op text NOT NULL,"
                    + " key text NOT NULL, fence bigint NOT NULL, client text NOT NULL, before_value bigint,"
                    + " after_value bigint, at bigint NOT NULL)");
        }
    }

    Connection connect() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(BUSY_MILLIS);
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        // Clients are killed, the machine is not.
        config.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
        // Each transaction begins with its first statement. The driver would begin an immediate one as soon as the last
        // has ended.
        config.setTransactionMode(SQLiteConfig.TransactionMode.DEFERRED);
        return config.createConnection("jdbc:sqlite:" + path.toAbsolutePath());
    }

    /** All writes in commit order, in the format of {@code witness.txt}. */
    public List<String> witnessLines() throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT seq, op, key, fence, client, before_value, after_value, at FROM witness ORDER BY seq")) {
            while (rows.next()) {
                lines.add(line(rows));
            }
        }
        return lines;
    }

    private static String line(ResultSet row) throws SQLException {
        String values =
                row.getString(2).equals("write") ? " before=" + row.getLong(6) + " after=" + row.getLong(7) : "";
        return row.getLong(1) + " " + row.getString(2) + " key=" + row.getString(3) + " fence=" + row.getLong(4)
                + " client=" + row.getString(5) + values + " at=" + row.getLong(8);
    }
}
