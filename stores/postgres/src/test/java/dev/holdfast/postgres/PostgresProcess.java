package dev.holdfast.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A server of its own that a test can kill and start again. Its data survive, as in production. */
public final class PostgresProcess implements AutoCloseable {
    private final Path data;
    private final int port;

    private PostgresProcess(Path data, int port) {
        this.data = data;
        this.port = port;
    }

    public static PostgresProcess start(Path data) throws IOException {
        PostgresProcess process = new PostgresProcess(data, freePort());
        process.restart();
        return process;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public int port() {
        return port;
    }

    public void restart() throws IOException {
        Files.deleteIfExists(data.resolve("epg-lock"));
        Server.durable(EmbeddedPostgres.builder())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPort(port)
                .setPGStartupWait(Duration.ofSeconds(30))
                .start();
    }

    /** Stops the server like {@code pg_ctl stop -m immediate}: without even a checkpoint. */
    public void stopImmediately() throws Exception {
        ProcessHandle postmaster = postmaster();
        new ProcessBuilder("kill", "-QUIT", String.valueOf(postmaster.pid()))
                .inheritIO()
                .start()
                .waitFor();
        Eventually.holds(() -> !postmaster.isAlive());
    }

    private ProcessHandle postmaster() throws IOException {
        long pid = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0));
        return ProcessHandle.of(pid).orElseThrow();
    }

    /** Kills the process that would restart the others first. */
    public void kill() throws IOException {
        ProcessHandle postmaster = postmaster();
        List<ProcessHandle> children = postmaster.children().toList();
        postmaster.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        postmaster.onExit().join();
        children.forEach(child -> child.onExit().join());
        Files.deleteIfExists(data.resolve("postmaster.pid"));
    }

    @Override
    public void close() throws IOException {
        kill();
    }
}
