package dev.holdfast.bench.accord;

import com.google.protobuf.ByteString;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.bench.BenchStore;
import dev.holdfast.proto.accord.Handle;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * A replica of the PostgreSQL work of accord's server for one pair of acquire and done, written from public knowledge:
 * a table with the same columns and indexes, an upsert and an update. Each is its own transaction on a pooled
 * connection.
 *
 * <p>It is not accord: it has no wire protocol and no Go code. These omissions are in its favour.
 */
final class AccordReplica implements AutoCloseable {
    private static final String ACQUIRE = """
            INSERT INTO handles AS h
              (id, namespace, name, owner, expires_at, num_acquired, created_at, updated_at, metadata)
            VALUES (?, ?, ?, ?, ?, 1, ?, ?, '{}')
            ON CONFLICT (namespace, name) DO UPDATE SET
              id = CASE WHEN h.expires_at < ? AND h.done_at IS NULL THEN excluded.id ELSE h.id END,
              owner = CASE WHEN h.expires_at < ? AND h.done_at IS NULL THEN excluded.owner ELSE h.owner END,
              expires_at =
                CASE WHEN h.expires_at < ? AND h.done_at IS NULL THEN excluded.expires_at ELSE h.expires_at END,
              num_acquired = h.num_acquired + CASE WHEN h.expires_at < ? AND h.done_at IS NULL THEN 1 ELSE 0 END,
              updated_at = excluded.updated_at
            RETURNING id, namespace, name, owner, expires_at, num_acquired, done_at, metadata
            """;

    private static final String DONE = """
            UPDATE handles SET done_at = ?, updated_at = ?, metadata = metadata || '{}'
            WHERE id = ? AND owner = ? AND done_at IS NULL
            """;

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

    private final HikariDataSource pool;

    AccordReplica(DataSource database, int connections) throws SQLException {
        pool = BenchStore.pool(database, connections);
        try (Connection connection = pool.getConnection();
                Statement setup = connection.createStatement()) {
            setup.execute("""
                    CREATE TABLE IF NOT EXISTS handles (
                      id uuid PRIMARY KEY,
                      namespace varchar(100) NOT NULL,
                      name varchar(255) NOT NULL,
                      owner varchar(255) NOT NULL,
                      created_at timestamptz NOT NULL,
                      updated_at timestamptz NOT NULL,
                      expires_at timestamptz NOT NULL,
                      done_at timestamptz,
                      num_acquired int NOT NULL,
                      metadata jsonb NOT NULL,
                      UNIQUE (namespace, name)
                    );
                    CREATE INDEX IF NOT EXISTS handles_owner ON handles (owner);
                    CREATE INDEX IF NOT EXISTS handles_expires_at ON handles (expires_at);
                    CREATE INDEX IF NOT EXISTS handles_done_at ON handles (done_at);
                    CREATE INDEX IF NOT EXISTS handles_updated_at ON handles (updated_at);
                    CREATE INDEX IF NOT EXISTS handles_metadata ON handles USING gin (metadata);
                    """);
        }
    }

    /** Acquires a new name and finishes it. */
    void pair(String owner, String namespace, String name) throws SQLException {
        UUID id = UUID.randomUUID();
        Timestamp now = Timestamp.from(Instant.now());
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(ACQUIRE)) {
            statement.setObject(1, id);
            statement.setString(2, namespace);
            statement.setString(3, name);
            statement.setString(4, owner);
            statement.setTimestamp(5, Timestamp.from(Instant.now().plusSeconds(600)));
            for (int parameter = 6; parameter <= 11; parameter++) {
                statement.setTimestamp(parameter, now);
            }
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next() || !id.equals(row.getObject(1, UUID.class))) {
                    throw new IllegalStateException(name + " existed before");
                }
            }
        }
        done(id, owner);
    }

    private void done(UUID id, String owner) throws SQLException {
        Timestamp now = Timestamp.from(Instant.now());
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(DONE)) {
            statement.setTimestamp(1, now);
            statement.setTimestamp(2, now);
            statement.setObject(3, id);
            statement.setString(4, owner);
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException(id + " does not exist");
            }
        }
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

    private static Handle handle(ResultSet row) throws SQLException {
        UUID id = row.getObject(1, UUID.class);
        ByteBuffer bytes = ByteBuffer.allocate(16);
        bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        Handle.Builder handle = Handle.newBuilder()
                .setId(ByteString.copyFrom(bytes.flip()))
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
