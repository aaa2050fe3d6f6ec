package dev.holdfast.dashboard;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A large SQLite store, filled by one statement: done keys in a hundred namespaces, and a few that are free. */
final class MillionKeys {
    private MillionKeys() {}

    static void fill(Path folder, int count) {
        Path file = folder.resolve("leases.db");
        try (Leases created = Holdfast.open("sqlite:" + file)) {
            // The form in which an entry of this kind is stored.
            created.tryAcquire("sample").orThrow().done();
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA synchronous = OFF");
            statement.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + count + ") "
                    + "INSERT INTO entry (namespace, name, version, state, token, holder, fence, grants, term_millis, beat, "
                    + "granted_at_micros, attributes, created_at_micros, done_at_micros) "
                    + "SELECT printf('ns-%02d', i / (" + count
                    + " / 100)), printf('job-%07d', i), randomblob(16), state, "
                    + "randomblob(16), 'worker-' || (i % 50), i, 1, 30000, randomblob(16), 1767225600000000, blank, "
                    + "1767225600000000, CASE WHEN state = 0 THEN 1767225600000000 END "
                    + "FROM n, (SELECT attributes AS blank, state FROM entry LIMIT 1)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
