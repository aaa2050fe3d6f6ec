package dev.holdfast.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** Accord's table, with the columns of its second migration, in its own schema. */
final class AccordTable {
    private final Server server;
    private final String schema = Server.freshSchema() + "_accord";

    AccordTable(Server server) throws SQLException {
        this.server = server;
        server.execute("CREATE SCHEMA " + schema);
        server.execute("CREATE TABLE " + schema + ".resource_handles (id uuid PRIMARY KEY,"
                + " namespace varchar(100) NOT NULL, name varchar(255) NOT NULL, owner varchar(255) NOT NULL,"
                + " created_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz NOT NULL,"
                + " done_at timestamptz, num_acquired int NOT NULL DEFAULT 0, metadata jsonb NOT NULL,"
                + " updated_at timestamptz NOT NULL DEFAULT now(), UNIQUE (namespace, name))");
    }

    String url() {
        return server.url(schema);
    }

    /** Inserts a handle that expires after {@code seconds}; negative if it has expired already. */
    UUID handle(String namespace, String name, int seconds) throws SQLException {
        UUID id = UUID.randomUUID();
        try (Connection connection = server.connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO " + schema
                        + ".resource_handles (id, namespace, name, owner, expires_at, num_acquired, metadata)"
                        + " VALUES (?, ?, ?, 'worker-1', now() + make_interval(secs => ?), 3, '{\"size\": \"17\"}')")) {
            insert.setObject(1, id);
            insert.setString(2, namespace);
            insert.setString(3, name);
            insert.setInt(4, seconds);
            insert.executeUpdate();
        }
        return id;
    }

    void update(UUID id, String set) throws SQLException {
        server.execute("UPDATE " + schema + ".resource_handles SET " + set + " WHERE id = '" + id + "'");
    }

    void execute(String sql) throws SQLException {
        server.execute(sql.replace("$", schema + ".resource_handles"));
    }
}
