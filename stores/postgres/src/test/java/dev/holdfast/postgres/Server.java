package dev.holdfast.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The one server of this module's tests: real, and as durable as in production. Each test has its own schema. */
final class Server {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static final Server SHARED = new Server();

    private final EmbeddedPostgres postgres;

    private Server() {
        try {
            postgres = durable(EmbeddedPostgres.builder()).start();
        } catch (IOException e) {
            throw new UncheckedIOException("no PostgreSQL, no tests", e);
        }
    }

    static Server shared() {
        return SHARED;
    }

    /** Makes the server durable: the defaults of the embedded server are for tests without crashes. */
    static EmbeddedPostgres.Builder durable(EmbeddedPostgres.Builder builder) {
        return builder.setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("max_connections", "300");
    }

    static String freshSchema() {
        return "test_" + SCHEMAS.incrementAndGet();
    }

    int port() {
        return postgres.getPort();
    }

    /** Returns the URL of a store in this schema. */
    String url(String schema, String... parameters) {
        return url(port(), schema, parameters);
    }

    static String url(int port, String schema, String... parameters) {
        String more = parameters.length == 0 ? "" : "&" + String.join("&", parameters);
        return "postgresql://postgres:postgres@localhost:" + port + "/postgres?schema=" + schema + more;
    }

    /** Opens a connection like that of any other program. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://localhost:" + port() + "/postgres", "postgres", "postgres");
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the first column of all rows, as text. */
    List<String> query(String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    String value(String sql) throws SQLException {
        return query(sql).get(0);
    }
}
