package dev.holdfast.bench.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Statements that create tables, run by one process at a time: PostgreSQL's IF NOT EXISTS fails in a race. */
final class SchemaSetup {
    private SchemaSetup() {}

    static void run(DataSource database, String statements) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT pg_advisory_xact_lock(1)");
            statement.execute(statements);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }
}
