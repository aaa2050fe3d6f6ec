package dev.holdfast.bench.accord;

import com.google.protobuf.ByteString;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.bench.BenchStore;
import dev.holdfast.bench.accordsql.AccordStatements;
import dev.holdfast.proto.accord.Handle;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * A replica of the PostgreSQL work of accord's server: {@link AccordStatements}, each on a pooled connection, and lists.
 *
 * <p>It is not accord: it has no wire protocol and no Go code. These omissions are in its favour.
 */
final class AccordReplica implements AutoCloseable {
    private static final String INSERT_DONE = """
            INSERT INTO handles
              (id, namespace, name, owner, expires_at, num_acquired, created_at, updated_at, done_at, metadata)
            VALUES (gen_random_uuid(), 'files', ?, ?, clock_timestamp() + interval '10 minutes', 1, clock_timestamp(),
              clock_timestamp(), clock_timestamp(), ?::jsonb)
            """;

    private static final String LIST_DONE = """
            SELECT id, namespace, name, expires_at, num_acquired, done_at, metadata FROM handles
            WHERE done_at IS NOT NULL ORDER BY created_at DESC
            """;

    /** One entry of a flat JSON object of texts without escapes, the only kind that {@link #fill} writes. */
    private static final Pattern PAIR = Pattern.compile("\"([^\"]*)\": \"([^\"]*)\"");

    private static final Duration TERM = Duration.ofMinutes(10);

    private final HikariDataSource pool;
    private final AccordStatements statements;

    AccordReplica(DataSource database, int connections) throws SQLException {
        pool = BenchStore.pool(database, connections);
        statements = new AccordStatements(pool);
        try (Connection connection = pool.getConnection();
                Statement setup = connection.createStatement()) {
            setup.execute(AccordStatements.SCHEMA);
        }
    }

    AccordStatements statements() {
        return statements;
    }

    /** Acquires a new name and finishes it. */
    void pair(String owner, String namespace, String name) throws SQLException {
        UUID id = statements
                .acquire(owner, namespace, name, TERM)
                .orElseThrow(() -> new IllegalStateException(name + " existed before"));
        statements.done(id, owner);
    }

    /** The name of a row that {@link #fill} writes, as long as a path in a bucket. */
    static String name(int number) {
        return "2026/11/16/part-%08d.csv".formatted(Math.floorMod(number * 2_654_435_761L, 100_000_000L));
    }

    /** Fills the table with {@code count} done names. */
    void fill(int count) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement clear = connection.createStatement();
                PreparedStatement insert = connection.prepareStatement(INSERT_DONE)) {
            clear.execute("TRUNCATE handles");
            for (int number = 0; number < count; number++) {
                insert.setString(1, name(number));
                insert.setString(2, "worker-" + number % 10);
                insert.setString(3, "{\"rows\": \"" + number + "\"}");
                insert.addBatch();
                if (number % 1_000 == 999) {
                    insert.executeBatch();
                }
            }
            insert.executeBatch();
            clear.execute("ANALYZE handles");
        }
    }

    /** Passes all done names to {@code reader}, the newest first, each as soon as it is read, like accord's driver. */
    int list(Consumer<Handle> reader) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(LIST_DONE)) {
                statement.setFetchSize(1_000);
                try (ResultSet rows = statement.executeQuery()) {
                    int count = 0;
                    for (; rows.next(); count++) {
                        reader.accept(handle(rows));
                    }
                    return count;
                }
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    /** The form of an id on the wire. */
    static ByteString bytes(UUID id) {
        ByteBuffer bytes = ByteBuffer.allocate(16);
        bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        return ByteString.copyFrom(bytes.flip());
    }

    static UUID id(ByteString bytes) {
        ByteBuffer buffer = bytes.asReadOnlyByteBuffer();
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    private static Handle handle(ResultSet row) throws SQLException {
        Handle.Builder handle = Handle.newBuilder()
                .setId(bytes(row.getObject(1, UUID.class)))
                .setNamespace(row.getString(2))
                .setName(row.getString(3))
                .setExpTms(row.getTimestamp(4).getTime())
                .setNumAcquired(row.getInt(5))
                .setDoneTms(row.getTimestamp(6).getTime());
        Matcher pair = PAIR.matcher(row.getString(7));
        while (pair.find()) {
            handle.putMetadata(pair.group(1), pair.group(2));
        }
        return handle.build();
    }

    @Override
    public void close() {
        pool.close();
    }
}
