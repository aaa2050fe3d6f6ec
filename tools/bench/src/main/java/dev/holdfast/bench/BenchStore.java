package dev.holdfast.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.Holdfast;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.store.LeaseStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A new, durable store for a benchmark: its name is {@code sqlite} or {@code postgresql}. */
public interface BenchStore extends AutoCloseable {
    String url();

    /** The size of the entries, without their indexes if the store can separate them. */
    long bytes() throws IOException, SQLException;

    @Override
    void close() throws IOException;

    static BenchStore open(String name) throws IOException {
        return switch (name) {
            case "sqlite" -> new Sqlite();
            case "postgresql" -> new Postgres();
            default -> throw new IllegalArgumentException("store: " + name + " (expected: sqlite or postgresql)");
        };
    }

    /** The store itself, without a client. */
    default LeaseStore store() {
        return Holdfast.provider(url()).open(url(), new SystemEnvironment());
    }

    static HikariDataSource pool(DataSource database, int connections) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    /** A file in its own folder. */
    final class Sqlite implements BenchStore {
        private final Path folder = Files.createTempDirectory("holdfast-bench");

        Sqlite() throws IOException {}

        /** A further file, beside that of the store. */
        Path file(String name) {
            return folder.resolve(name);
        }

        @Override
        public String url() {
            return "sqlite:" + file("leases.db");
        }

        @Override
        public long bytes() throws IOException {
            return Files.size(file("leases.db"));
        }

        @Override
        public void close() throws IOException {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    /** A new PostgreSQL server with the durability of production, which the embedded server lacks by default. */
    final class Postgres implements BenchStore {
        private final EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start();

        public Postgres() throws IOException {}

        public int port() {
            return server.getPort();
        }

        public DataSource database() {
            return server.getPostgresDatabase();
        }

        @Override
        public String url() {
            return "postgresql://postgres:postgres@localhost:" + port() + "/postgres";
        }

        @Override
        public long bytes() throws SQLException {
            try (Connection connection = database().getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT pg_relation_size('holdfast.entry')")) {
                row.next();
                return row.getLong(1);
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
