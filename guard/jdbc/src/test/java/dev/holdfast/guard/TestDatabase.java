package dev.holdfast.guard;

import static org.junit.jupiter.api.Assumptions.abort;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A real database, reachable from several processes by its URL. */
final class TestDatabase {
    private static @Nullable String postgres;
    private static @Nullable String mariadb;

    private final JdbcDialect dialect;
    private final String url;

    private TestDatabase(JdbcDialect dialect, String url) {
        this.dialect = dialect;
        this.url = url;
    }

    /** A database with empty tables. MariaDB's tests are skipped, with a message, if it is not installed. */
    static TestDatabase open(JdbcDialect dialect, Path folder) throws Exception {
        String url = switch (dialect) {
            case POSTGRESQL -> postgres();
            case SQLITE -> "jdbc:sqlite:" + folder.resolve("resource.db") + "?busy_timeout=20000&journal_mode=WAL";
            case H2 -> "jdbc:h2:" + folder.resolve("resource") + ";AUTO_SERVER=TRUE;LOCK_TIMEOUT=20000";
            case MARIADB -> mariadb();
        };
        TestDatabase database = new TestDatabase(dialect, url);
        database.execute("DROP TABLE IF EXISTS holdfast_fence");
        database.execute("DROP TABLE IF EXISTS account");
        database.execute(FenceGuard.jdbc().createTable(dialect));
        database.execute("CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL)");
        database.execute("INSERT INTO account VALUES (1, 0)");
        return database;
    }

    private static synchronized String postgres() throws IOException {
        if (postgres == null) {
            postgres = EmbeddedPostgres.builder().start().getJdbcUrl("postgres", "postgres");
        }
        return postgres;
    }

    private static synchronized String mariadb() throws Exception {
        if (mariadb == null) {
            mariadb = startMariadb();
        }
        return mariadb;
    }

    private static String startMariadb() throws Exception {
        Path program = Path.of("/usr/sbin/mariadbd");
        if (!Files.isExecutable(program)) {
            String skipped = "THE TESTS ON MARIADB ARE SKIPPED: it is not installed"
                    + " (Debian: apt-get install mariadb-server)";
            System.err.println(skipped);
            abort(skipped);
        }
        Path folder = Files.createTempDirectory("holdfast-mariadb");
        int port = freePort();
        String user = "--user=" + System.getProperty("user.name");
        run(List.of(
                "/usr/bin/mariadb-install-db",
                "--no-defaults",
                user,
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--datadir=" + folder.resolve("data")));
        Process server = new ProcessBuilder(
                        program.toString(),
                        "--no-defaults",
                        user,
                        "--datadir=" + folder.resolve("data"),
                        "--socket=" + folder.resolve("socket"),
                        "--pid-file=" + folder.resolve("pid"),
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--innodb-buffer-pool-size=32M",
                        "--innodb-flush-log-at-trx-commit=2")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.destroyForcibly();
            deleteAll(folder);
        }));
        String url = "jdbc:mariadb://127.0.0.1:" + port + "/mysql?user=root";
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (true) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE guarded");
                return url.replace("/mysql?", "/guarded?");
            } catch (SQLException e) {
                if (!server.isAlive() || System.nanoTime() - deadlineNanos > 0) {
                    throw new IOException("MariaDB: " + Files.readString(folder.resolve("log")), e);
                }
                Thread.sleep(100);
            }
        }
    }

    private static void run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(output);
        }
    }

    private static void deleteAll(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            System.err.println("left behind: " + folder);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    JdbcDialect dialect() {
        return dialect;
    }

    String url() {
        return url;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** A connection with an open transaction; {@code isolation} 0 is the database's default. */
    Connection begin(int isolation) throws SQLException {
        Connection connection = connect();
        if (isolation != 0) {
            connection.setTransactionIsolation(isolation);
        }
        connection.setAutoCommit(false);
        return connection;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    List<Integer> query(String sql) throws SQLException {
        List<Integer> values = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getInt(1));
            }
        }
        return values;
    }
}
