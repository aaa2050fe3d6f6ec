package dev.holdfast.cli.process;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Database with accord's table, as of accord's second migration, and with room for Holdfast's own stores. */
final class AccordDatabase implements AutoCloseable {
    private final EmbeddedPostgres postgres;

    AccordDatabase() throws IOException, SQLException {
        postgres = EmbeddedPostgres.start();
        execute("CREATE TABLE resource_handles (id uuid PRIMARY KEY, namespace varchar(100) NOT NULL,"
                + " name varchar(255) NOT NULL, owner varchar(255) NOT NULL,"
                + " created_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz NOT NULL,"
                + " done_at timestamptz, num_acquired int NOT NULL DEFAULT 0, metadata jsonb NOT NULL,"
                + " updated_at timestamptz NOT NULL DEFAULT now(), UNIQUE (namespace, name))");
    }

    /** The URL in the form that accord's server uses. */
    String url() {
        return "postgres://postgres:s3cret-of-accord@localhost:" + postgres.getPort() + "/postgres";
    }

    /** The URL of a Holdfast store in a separate schema. */
    String store(String schema) {
        return "postgresql://postgres:postgres@localhost:" + postgres.getPort() + "/postgres?schema=" + schema;
    }

    /** Handles {@code files/file-N}: nine of ten are done, one of twenty is held, the others have expired. */
    void fill(int count) throws SQLException {
        execute(
                "INSERT INTO resource_handles (id, namespace, name, owner, created_at, expires_at, done_at, num_acquired,"
                        + " metadata) SELECT gen_random_uuid(), 'files', 'file-' || i, 'worker-' || i % 7, now() - interval"
                        + " '30 days', now() + CASE WHEN i % 20 = 1 THEN interval '1 hour' ELSE interval '-1 hour' END, CASE"
                        + " WHEN i % 10 = 1 THEN NULL WHEN i % 20 = 10 THEN NULL ELSE now() - interval '1 day' END, i % 5 + 1,"
                        + " jsonb_build_object('size', i::text) FROM generate_series(1, " + count + ") i");
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    String value(String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
