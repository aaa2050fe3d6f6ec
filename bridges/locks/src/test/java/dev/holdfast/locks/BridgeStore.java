package dev.holdfast.locks;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.server.HoldfastServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A new, real store for a test of a bridge, and its clients. */
public final class BridgeStore implements AutoCloseable {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static @Nullable EmbeddedPostgres postgres;

    private final Deque<Closeable> open = new ArrayDeque<>();
    private final String url;

    /** Where the leases are. */
    public enum Backend {
        SQLITE,
        POSTGRESQL,
        /** Without a margin for jumps of the database's clock. */
        POSTGRESQL_WITHOUT_STEP,
        /** A server on SQLite. */
        SERVER
    }

    private BridgeStore(Backend backend) {
        this.url = switch (backend) {
            case SQLITE -> sqlite();
            case POSTGRESQL -> postgres("");
            case POSTGRESQL_WITHOUT_STEP -> postgres("&step=0ms");
            case SERVER -> server();
        };
    }

    public static BridgeStore of(Backend backend) {
        return new BridgeStore(backend);
    }

    /** Opens one more client, like another process. It is closed with the store. */
    public Leases client() {
        Leases leases = Holdfast.open(url);
        open.push(leases::close);
        return leases;
    }

    private String sqlite() {
        try {
            Path folder = Files.createTempDirectory("holdfast-bridge");
            open.push(() -> deleteAll(folder));
            return "sqlite:" + folder.resolve("leases.db");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String postgres(String more) {
        return "postgresql://postgres:postgres@localhost:" + port() + "/postgres?schema=bridge_"
                + SCHEMAS.incrementAndGet() + more;
    }

    /** One database for all tests of a module; it ends with the process. */
    private static synchronized int port() {
        if (postgres == null) {
            try {
                postgres = EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "300")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException("no PostgreSQL, no tests", e);
            }
        }
        return postgres.getPort();
    }

    private String server() {
        HoldfastServer server = HoldfastServer.builder()
                .store(sqlite())
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build();
        open.push(server::close);
        server.start();
        return "http://127.0.0.1:" + server.address().getPort();
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }
}
