package dev.holdfast.bench.accordsql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The PostgreSQL work of accord's server for acquire and done, written from public knowledge: a table with the same
 * columns and indexes, an upsert and an update, each a transaction of its own.
 */
public record AccordStatements(DataSource pool) {
    public static final String SCHEMA = """
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
            """;

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

    /** Acquires the name; empty if it is held or done. */
    public Optional<UUID> acquire(String owner, String namespace, String name, Duration term) throws SQLException {
        UUID id = UUID.randomUUID();
        Instant now = Instant.now();
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(ACQUIRE)) {
            statement.setObject(1, id);
            statement.setString(2, namespace);
            statement.setString(3, name);
            statement.setString(4, owner);
            statement.setTimestamp(5, Timestamp.from(now.plus(term)));
            for (int parameter = 6; parameter <= 11; parameter++) {
                statement.setTimestamp(parameter, Timestamp.from(now));
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && id.equals(row.getObject(1, UUID.class)) ? Optional.of(id) : Optional.empty();
            }
        }
    }

    public void done(UUID id, String owner) throws SQLException {
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
}
