package dev.holdfast.chaos.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Debian's PgBouncer, which gives each transaction another session of the database. */
public final class BouncerProcess {
    private BouncerProcess() {}

    /** Starts it between {@code port} and the database at {@code databasePort}. */
    public static RestartableProcess start(Path log, int port, int databasePort)
            throws IOException, InterruptedException {
        // PgBouncer drops root's permissions before it reads its settings, so they are where all users may read.
        Path settings = Files.createTempFile("holdfast-chaos-pgbouncer-", ".ini");
        settings.toFile().deleteOnExit();
        Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString("rw-r--r--"));
        Files.write(
                settings,
                List.of(
                        "[databases]",
                        "postgres = host=127.0.0.1 port=" + databasePort + " user=postgres password=postgres",
                        "[pgbouncer]",
                        "listen_addr = 127.0.0.1",
                        "listen_port = " + port,
                        "unix_socket_dir =",
                        "auth_type = any",
                        "pool_mode = transaction",
                        "default_pool_size = 8",
                        "min_pool_size = 4",
                        "server_round_robin = 1",
                        // Its default of 15 s would make each restart of the database an outage of its own.
                        "server_login_retry = 1",
                        ""));
        List<String> command = new ArrayList<>(List.of(program().toString(), "-q"));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "postgres"));
        }
        command.add(settings.toString());
        RestartableProcess process =
                new RestartableProcess("PgBouncer", command, Map.of(), log, () -> Readiness.accepts(port));
        process.start();
        return process;
    }

    private static Path program() throws IOException {
        return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/bin")
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException("PgBouncer is not installed (Debian: apt-get install pgbouncer)"));
    }
}
