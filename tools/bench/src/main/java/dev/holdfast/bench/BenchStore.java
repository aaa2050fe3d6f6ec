package dev.holdfast.bench;

import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoreProvider;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** A new, durable store for a benchmark: its name is {@code sqlite} or {@code postgresql}. */
interface BenchStore extends AutoCloseable {
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
        return at(url());
    }

    /** The store at {@code url}, without a client. */
    static LeaseStore at(String url) {
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            if (provider.schemes().contains(url.substring(0, url.indexOf(':')))) {
                return provider.open(url, new SystemEnvironment());
            }
        }
        throw new IllegalStateException(url);
    }

    /** A server with the durability of production, which the embedded server lacks by default. */
    static EmbeddedPostgres postgres() throws IOException {
        return EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start();
    }

    /** A file in its own folder. */
    final class Sqlite implements BenchStore {
        private final Path folder = Files.createTempDirectory("holdfast-bench");

        private Sqlite() throws IOException {}

        @Override
        public String url() {
            return "sqlite:" + folder.resolve("leases.db");
        }

        @Override
        public long bytes() throws IOException {
            return Files.size(folder.resolve("leases.db"));
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

    /** A new PostgreSQL server. */
    final class Postgres implements BenchStore {
        private final EmbeddedPostgres server = postgres();

        private Postgres() throws IOException {}

        @Override
        public String url() {
            return "postgresql://postgres:postgres@localhost:" + server.getPort() + "/postgres";
        }

        @Override
        public long bytes() throws SQLException {
            try (Connection connection = server.getPostgresDatabase().getConnection();
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
