package dev.holdfast.postgres;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Real PgBouncer in front of the tests' server. Each transaction gets the connection that was idle longest. */
final class PgBouncer implements AutoCloseable {
    private final Process process;
    private final int port;

    private PgBouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Returns the path of the program, if it is installed. */
    static Optional<Path> program() {
        return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Skips a test with a message if the program is not installed. */
    static void assumeInstalled(Class<?> test) {
        if (program().isEmpty()) {
            String skipped = test.getSimpleName()
                    + " IS SKIPPED: pgbouncer is not installed (Debian: apt-get install pgbouncer)";
            System.err.println(skipped);
            abort(skipped);
        }
    }

    /** @param poolMode {@code transaction} or {@code session} */
    static PgBouncer start(Path folder, Server server, String poolMode) throws Exception {
        int port = freePort();
        // PgBouncer drops root privileges before it reads its files.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path settings = folder.resolve("pgbouncer-" + poolMode + ".ini");
        Files.writeString(
                settings,
                String.join(
                        "\n",
                        "[databases]",
                        "postgres = host=127.0.0.1 port=" + server.port() + " user=postgres password=postgres",
                        "[pgbouncer]",
                        "listen_addr = 127.0.0.1",
                        "listen_port = " + port,
                        "unix_socket_dir =",
                        "auth_type = any",
                        "pool_mode = " + poolMode,
                        "default_pool_size = 4",
                        "min_pool_size = 4",
                        "server_round_robin = 1",
                        ""));
        List<String> command = new ArrayList<>(List.of(program().orElseThrow().toString(), "-q"));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "postgres"));
        }
        command.add(settings.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("pgbouncer.log").toFile())
                .start();
        PgBouncer bouncer = new PgBouncer(process, port);
        Eventually.holds(() -> {
            if (!process.isAlive()) {
                throw new IOException("PgBouncer ended: " + Files.readString(folder.resolve("pgbouncer.log")));
            }
            return bouncer.accepts();
        });
        return bouncer;
    }

    String url(String schema, String... parameters) {
        return Server.url(port, schema, parameters).replace("@localhost:", "@127.0.0.1:");
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
