package dev.holdfast.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.model.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * SQLite, durable: acquire(new key) then done, which is two writes, beside two writes of which each is a commit of its
 * own, on the same disk, in one run.
 */
public final class SqliteBench {
    private static final int WARM_UP_SECONDS = 3;
    private static final int SECONDS = 8;

    private SqliteBench() {}

    public static void main(String[] arguments) throws Exception {
        System.out.printf("%8s %22s %22s %8s %12s%n", "callers", "one commit each", "holdfast", "ratio", "batch size");
        for (int callers : new int[] {1, 64}) {
            Path folder = Files.createTempDirectory("holdfast-bench");
            try {
                double plain = onePerCommit(folder.resolve("plain.db"), callers);
                LongAdder batches = new LongAdder();
                LongAdder changes = new LongAdder();
                double ours = holdfast(folder.resolve("holdfast.db"), callers, batches, changes);
                System.out.printf(
                        "%8d %13.0f writes/s %13.0f writes/s %8.1f %12.1f%n",
                        callers, 2 * plain, 2 * ours, ours / plain, changes.doubleValue() / batches.doubleValue());
            } finally {
                delete(folder);
            }
        }
    }

    private static double holdfast(Path file, int callers, LongAdder batches, LongAdder changes) throws Exception {
        LeasesOptions options = LeasesOptions.builder()
                .listener(new LeaseListener() {
                    @Override
                    public void onBatch(int size, long nanos) {
                        batches.increment();
                        changes.add(size);
                    }
                })
                .build();
        try (Leases leases = Holdfast.open("sqlite:" + file, options)) {
            return Race.roundsPerSecond(
                    callers,
                    WARM_UP_SECONDS,
                    SECONDS,
                    caller -> number -> leases.tryAcquire(
                                    Key.of("bench", caller + "-" + number), AcquireOptions.defaults())
                            .orThrow()
                            .done());
        }
    }

    /** What one would write without a library: a row per key, a statement per step, each durable by itself. */
    private static double onePerCommit(Path file, int callers) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement setup = connection.createStatement()) {
            setup.execute("PRAGMA journal_mode = WAL");
            setup.execute("PRAGMA synchronous = FULL");
            setup.execute("CREATE TABLE lease (name TEXT PRIMARY KEY, token TEXT, done INTEGER) WITHOUT ROWID");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO lease VALUES (?, ?, 0)");
                    PreparedStatement done =
                            connection.prepareStatement("UPDATE lease SET done = 1 WHERE name = ? AND token = ?")) {
                return Race.roundsPerSecond(callers, WARM_UP_SECONDS, SECONDS, caller -> number -> {
                    String name = caller + "-" + number;
                    String token = UUID.randomUUID().toString();
                    write(connection, insert, name, token);
                    write(connection, done, name, token);
                });
            }
        }
    }

    /** SQLite writes one at a time anyway. */
    private static void write(Connection connection, PreparedStatement statement, String name, String token)
            throws SQLException {
        synchronized (connection) {
            statement.setString(1, name);
            statement.setString(2, token);
            statement.executeUpdate();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
