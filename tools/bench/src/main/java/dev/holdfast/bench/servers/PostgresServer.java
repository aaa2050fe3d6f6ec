package dev.holdfast.bench.servers;

import dev.holdfast.bench.contender.StoreCounts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One durable PostgreSQL server for all opponents that need one, with a database for each. */
public final class PostgresServer implements OpponentServer {
    private final EmbeddedPostgres server;
    private final List<ProcessHandle> postmaster;
    private final String version;
    private final Set<String> databases = new HashSet<>();

    PostgresServer() throws IOException, SQLException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                // Advisory locks need a session for every caller, and room for 100,000 of them.
                .setServerConfig("max_connections", "700")
                .setServerConfig("max_locks_per_transaction", "256")
                .start();
        postmaster = List.of(findPostmaster());
        version = query("SHOW server_version");
    }

    /** The parent of a session's process, which lives as long as the session. */
    private ProcessHandle findPostmaster() throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return ProcessHandle.of(row.getLong(1))
                    .flatMap(ProcessHandle::parent)
                    .orElseThrow();
        }
    }

    private String query(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    public int port() {
        return server.getPort();
    }

    @Override
    public String url(String opponent) throws SQLException {
        String address = "localhost:" + port() + "/" + database(opponent);
        return opponent.startsWith("holdfast")
                ? "postgresql://postgres:postgres@" + address
                : "jdbc:postgresql://" + address + "?user=postgres&password=postgres";
    }

    private synchronized String database(String opponent) throws SQLException {
        String name = opponent.replace('-', '_');
        if (databases.add(name)) {
            try (Connection connection = server.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE " + name);
            }
        }
        return name;
    }

    /** A transaction counts as one request, a row as one write. */
    @Override
    public Optional<StoreCounts> counts(String opponent) throws SQLException {
        String of = " FROM pg_stat_database WHERE datname = '" + database(opponent) + "'";
        return Optional.of(new StoreCounts(
                Long.parseLong(query("SELECT xact_commit + xact_rollback" + of)),
                Long.parseLong(query("SELECT tup_inserted + tup_updated + tup_deleted" + of))));
    }

    @Override
    public long storeBytes(String opponent) throws SQLException {
        return Long.parseLong(query("SELECT pg_database_size('" + database(opponent) + "')"));
    }

    @Override
    public List<ProcessHandle> processes() {
        return postmaster;
    }

    @Override
    public String description() {
        return "PostgreSQL " + version + ", fsync, synchronous_commit and full_page_writes on";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
