package dev.holdfast.chaos.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server with a data folder and a port of its own. Its data survive its processes. */
public final class PostgresInstance implements AutoCloseable {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

    /** Durable, as in production. The address is the only way in. */
    private static final List<String> SETTINGS = List.of(
            "listen_addresses = '127.0.0.1'",
            "unix_socket_directories = ''",
            "fsync = on",
            "synchronous_commit = on",
            "full_page_writes = on",
            "max_connections = 200",
            "shared_buffers = 32MB",
            "wal_level = replica",
            "max_wal_senders = 5",
            "wal_keep_size = 256MB",
            "hot_standby = on",
            "cluster_name = '" + PostgresPair.STANDBY + "'",
            "log_checkpoints = off",
            "");

    private final PostgresPrograms programs;
    private final Path base;
    private final Path data;
    private final Path log;
    private final int port;
    private @Nullable OwnedProcess process;

    private PostgresInstance(PostgresPrograms programs, Path base, Path log, int port) {
        this.programs = programs;
        this.base = base;
        this.data = base.resolve("data");
        this.log = log;
        this.port = port;
    }

    /**
     * Prepares a server without data. Its data are in a folder of their own below the folder for temporary files, because
     * the user of the server may not enter all folders of this process.
     *
     * @param log the file for its messages
     */
    public static PostgresInstance prepare(Path log, int port) throws IOException {
        Path base = Files.createTempDirectory("holdfast-chaos-postgres-");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx------"));
        PostgresPrograms.giveAway(base);
        return new PostgresInstance(PostgresPrograms.required(), base, log.toAbsolutePath(), port);
    }

    /** Creates an empty database. */
    public synchronized void create() throws IOException, InterruptedException {
        FolderRemoval.remove(data);
        ToolRun.run(
                "initdb",
                programs.command(
                        "initdb",
                        "--pgdata=" + data,
                        "--username=postgres",
                        "--auth=trust",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync"));
        Files.write(data.resolve("postgresql.conf"), SETTINGS, StandardOpenOption.APPEND);
    }

    /** Becomes a standby of another server, with a fresh copy of its data. */
    synchronized void copy(PostgresInstance primary) throws IOException, InterruptedException {
        FolderRemoval.remove(data);
        ToolRun.run(
                "pg_basebackup",
                programs.command(
                        "pg_basebackup",
                        "--pgdata=" + data,
                        "--host=127.0.0.1",
                        "--port=" + primary.port,
                        "--username=postgres",
                        "--wal-method=stream",
                        "--checkpoint=fast",
                        "--write-recovery-conf",
                        "--no-sync"));
        // After a promotion there is no standby yet that a commit could wait for. The last line wins.
        Files.writeString(
                data.resolve("postgresql.auto.conf"), "synchronous_standby_names = ''\n", StandardOpenOption.APPEND);
    }

    /** Starts the server, unless it runs, and waits until it accepts connections: after a crash, until it has recovered. */
    public synchronized void start() throws IOException, InterruptedException {
        OwnedProcess running = process;
        if (running != null && running.isAlive()) {
            running.resume();
        } else {
            // The id in it may by now be that of another process.
            Files.deleteIfExists(data.resolve("postmaster.pid"));
            running = OwnedProcess.start(
                    programs.command("postgres", "-D", data.toString(), "-p", String.valueOf(port)), Map.of(), log);
            process = running;
        }
        Readiness.await("PostgreSQL", running, () -> value("SELECT 'ready'").equals("ready"));
    }

    public int port() {
        return port;
    }

    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Kills all its processes with SIGKILL. */
    public synchronized void kill() throws IOException, InterruptedException {
        if (process != null) {
            process.kill();
        }
    }

    /** Ends the server without a checkpoint, by its immediate shutdown. */
    public synchronized void stopImmediately() throws IOException, InterruptedException {
        if (process != null && process.isAlive()) {
            process.signal("QUIT");
            if (!process.awaitEnd(STOP_PATIENCE)) {
                process.kill();
            }
        }
    }

    /** Kills one process that serves a connection. The server then ends all others, and recovers by itself. */
    public synchronized void killOneSession() throws IOException, InterruptedException {
        OwnedProcess running = process;
        if (running == null || !running.isAlive()) {
            return;
        }
        try {
            long pid = Long.parseLong(value("SELECT coalesce(max(pid), 0) FROM pg_stat_activity"
                    + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"));
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        } catch (SQLException e) {
            throw new IOException("the sessions of PostgreSQL are unknown", e);
        }
    }

    /** Stops all its processes with SIGSTOP. {@link #start} continues them. */
    public synchronized void pause() throws IOException, InterruptedException {
        if (process != null && process.isAlive()) {
            process.pause();
        }
    }

    /** Runs a statement outside of a transaction. */
    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the first column of the first row, or an empty text. */
    public String value(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            String value = row.next() ? row.getString(1) : null;
            return value == null ? "" : value;
        }
    }

    private Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", "postgres");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("loginTimeout", "10");
        properties.setProperty("socketTimeout", "30");
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", properties);
    }

    @Override
    public synchronized void close() {
        if (process != null) {
            process.close();
        }
        FolderRemoval.removeQuietly(base);
    }
}
