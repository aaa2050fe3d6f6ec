package dev.holdfast.examples.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.examples.ShipOrders;
import dev.holdfast.postgres.CommitCutter;
import dev.holdfast.postgres.CommitCutter.Cut;
import dev.holdfast.postgres.PostgresProcess;
import dev.holdfast.server.HoldfastServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that ship orders are killed at random, the database is killed in between, and commits lose their answers: each order is
 * shipped exactly once. {@code -Psoak} runs the long form.
 */
class ShipOrdersTest {
    private static final String[] SIZES = System.getProperty("holdfast.orders").split(" x | in ");
    private static final int WORKERS = Integer.parseInt(SIZES[0]);
    private static final int ORDERS = Integer.parseInt(SIZES[1]);
    private static final long KILL_NANOS = TimeUnit.SECONDS.toNanos(Long.parseLong(SIZES[2]));

    private final Random random = new Random(17);
    private final List<Process> workers = new ArrayList<>();
    private int started;

    @TempDir
    private Path folder;

    @Test
    void eachOrderIsShippedOnceWithLeasesFromTheDatabase() throws Exception {
        try (PostgresProcess database = PostgresProcess.start(folder.resolve("data"))) {
            shipAll(database, storeUrl(database));
        }
    }

    @Test
    void eachOrderIsShippedOnceWithLeasesFromAServer() throws Exception {
        try (PostgresProcess database = PostgresProcess.start(folder.resolve("data"));
                HoldfastServer server = HoldfastServer.builder()
                        .store(storeUrl(database))
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .build()) {
            server.start();
            shipAll(database, "http://127.0.0.1:" + server.address().getPort());
        }
    }

    private static String storeUrl(PostgresProcess database) {
        return "postgresql://postgres:postgres@127.0.0.1:" + database.port() + "/postgres?timeout=2s";
    }

    private void shipAll(PostgresProcess database, String leases) throws Exception {
        execute(database, "CREATE TABLE shipment (order_id int NOT NULL)");
        try (CommitCutter cutter = new CommitCutter(database.port())) {
            String jdbc = "jdbc:postgresql://127.0.0.1:" + cutter.port()
                    + "/postgres?user=postgres&password=postgres&socketTimeout=5&connectTimeout=5";
            for (int i = 0; i < WORKERS; i++) {
                start(leases, jdbc);
            }
            disturb(database, cutter, leases, jdbc);
            while (!workers.isEmpty()) {
                Process worker = workers.remove(0);
                awaitEnd(worker);
                if (worker.exitValue() != 0) { // It was started while the database was down.
                    assertThat(started).as(outputs()).isLessThan(1000);
                    start(leases, jdbc);
                }
            }
        } finally {
            workers.forEach(Process::destroyForcibly);
        }
        assertThat(query(database, "SELECT order_id FROM shipment GROUP BY order_id HAVING count(*) > 1"))
                .as("orders shipped twice")
                .isEmpty();
        assertThat(query(database, "SELECT count(DISTINCT order_id) FROM shipment"))
                .containsExactly(ORDERS);
        assertThat(query(database, "SELECT count(*) FROM holdfast.entry WHERE namespace = 'orders' AND state = 'DONE'"))
                .containsExactly(ORDERS);
    }

    /** A worker that hangs writes the stacks of its threads to its output, so that the failure shows where. */
    private void awaitEnd(Process worker) throws Exception {
        if (!worker.waitFor(5, TimeUnit.MINUTES)) {
            new ProcessBuilder("kill", "-QUIT", String.valueOf(worker.pid()))
                    .start()
                    .waitFor();
            Thread.sleep(2000);
            fail("worker " + worker.pid() + " does not end:\n" + outputs());
        }
    }

    private void disturb(PostgresProcess database, CommitCutter cutter, String leases, String jdbc) throws Exception {
        long start = System.nanoTime();
        boolean crashed = false;
        while (System.nanoTime() - start < KILL_NANOS) {
            Thread.sleep(200 + random.nextInt(400));
            cutter.cut(random.nextBoolean() ? Cut.BEFORE : Cut.AFTER);
            Thread.sleep(random.nextInt(60));
            cutter.cut(Cut.NONE);
            Process victim = workers.remove(random.nextInt(workers.size()));
            victim.destroyForcibly().waitFor();
            start(leases, jdbc);
            if (!crashed && System.nanoTime() - start > KILL_NANOS / 2) {
                crashed = true;
                database.stopImmediately();
                database.restart();
            }
        }
        assertThat(crashed).isTrue();
    }

    private void start(String leases, String jdbc) throws IOException {
        workers.add(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShipOrders.class.getName(),
                        leases,
                        jdbc,
                        String.valueOf(ORDERS))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("worker-" + started++ + ".out").toFile())
                .start());
    }

    private String outputs() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < started; i++) {
            try {
                all.append("worker ").append(i).append(": ");
                all.append(Files.readString(folder.resolve("worker-" + i + ".out")))
                        .append('\n');
            } catch (IOException e) {
                all.append(e).append('\n');
            }
        }
        return all.toString();
    }

    private static Connection connect(PostgresProcess database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + database.port() + "/postgres", "postgres", "postgres");
    }

    private static void execute(PostgresProcess database, String sql) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<Integer> query(PostgresProcess database, String sql) throws SQLException {
        List<Integer> values = new ArrayList<>();
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getInt(1));
            }
        }
        return values;
    }
}
