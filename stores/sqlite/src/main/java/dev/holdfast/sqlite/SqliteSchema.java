package dev.holdfast.sqlite;

import dev.holdfast.support.ArgumentCheck;
import java.sql.SQLException;
import java.util.List;

/**
 * Tables of a file and the steps that create them. Step n turns schema n - 1 into schema n, and schema 0 is an empty
 * file. {@link SchemaVersion} is the file's own record of its schema.
 *
 * <p>Opening an existing file never changes its schema; only {@link #upgrade} does. So processes of several versions
 * can share a file, and a newer version can be rolled back. This holds while the version of each process is at least
 * the file's {@code min_writer}, and the file's version is at least {@link #oldest}.
 *
 * <p>To change the schema, append a step; never edit a released one. If older code can still write the new tables, the
 * step declares it with its {@code minWriter}. The code must work with all versions from {@link #oldest} on.
 *
 * <p>The cost of a commit is the number of pages that it touches. So rows are kept in the order in which their keys
 * were first inserted. Every index ends in that order too, because SQLite appends the id. Rows written together are
 * therefore stored together, for any keys. Only the index of the keys is as scattered as the keys. No index has a
 * column that a renewal changes.
 *
 * <p>States are numbers (see {@link SqliteRows}). Their order puts the newest done entries beside the held ones, so
 * marking a new key done moves it only a little.
 *
 * @param oldest the oldest version that this code can read and write
 */
record SqliteSchema(int oldest, List<SqliteMigration> steps) {
    /**
     * One step of the schema, with the versions of Holdfast that can use a file after it.
     *
     * @param minReader the oldest schema version with code that can still read the file
     * @param minWriter the oldest schema version with code that can still read and write the file; at least {@code
     *     minReader}
     */
    record SqliteMigration(int minReader, int minWriter, List<String> statements) {
        SqliteMigration {
            if (minReader < 1 || minWriter < minReader) {
                throw ArgumentCheck.bad("min_writer", minWriter, ">= min_reader " + minReader + " >= 1");
            }
            statements = List.copyOf(statements);
        }
    }

    static final SqliteSchema CURRENT = new SqliteSchema(
            1,
            List.of(
                    new SqliteMigration(
                            1,
                            1,
                            List.of(
                                    """
            CREATE TABLE entry (
              id INTEGER PRIMARY KEY,
              namespace TEXT NOT NULL,
              name TEXT NOT NULL,
              version BLOB NOT NULL,
              state INTEGER NOT NULL,
              token BLOB,
              holder TEXT,
              fence INTEGER NOT NULL,
              grants INTEGER NOT NULL,
              term_millis INTEGER,
              beat BLOB,
              granted_at_micros INTEGER,
              anchor_namespace TEXT,
              anchor_name TEXT,
              anchor_fence INTEGER,
              attributes BLOB NOT NULL,
              created_at_micros INTEGER NOT NULL,
              done_at_micros INTEGER,
              boot TEXT,
              stamp_nanos INTEGER
            ) STRICT""",
                                    "CREATE UNIQUE INDEX entry_key ON entry (namespace, name)",
                                    "CREATE INDEX entry_state ON entry (state, namespace)",
                                    "CREATE INDEX entry_token ON entry (token)",
                                    "CREATE TABLE meta (fence_floor INTEGER NOT NULL, id_floor INTEGER NOT NULL) STRICT",
                                    "INSERT INTO meta (fence_floor, id_floor) VALUES (0, 0)")),
                    new SqliteMigration(1, 1, List.of(SchemaVersion.CREATE)),
                    // Older code neither reads nor writes the column. The grants that it ends are missing in it.
                    new SqliteMigration(1, 1, List.of("ALTER TABLE entry ADD COLUMN history BLOB"))));

    /** The version that added histories. */
    private static final int WITH_HISTORY = 3;

    /** The statements of this code for a file. */
    SqliteStatements statements(SchemaVersion found) {
        return Math.min(version(), found.version()) < WITH_HISTORY
                ? SqliteStatements.WITHOUT_HISTORY
                : SqliteStatements.WITH_HISTORY;
    }

    /** The version that this code creates. */
    int version() {
        return steps.size();
    }

    /**
     * Returns the version of the file; this code can use the file if it is not empty. Changes nothing.
     *
     * @throws dev.holdfast.StoreException if the file is not Holdfast's, too new or too old
     */
    SchemaVersion usable(SqliteSession session, SqliteErrors errors) throws SQLException {
        SchemaVersion found = upgradable(session, errors);
        if (!found.isEmpty() && found.version() < oldest) {
            throw errors.rejected("has schema " + found.version() + ", and this Holdfast can use " + oldest
                    + " and newer: run 'holdfast store upgrade'");
        }
        return found;
    }

    /** Returns the version of a file that may be too old for {@link #usable}. */
    SchemaVersion upgradable(SqliteSession session, SqliteErrors errors) throws SQLException {
        session.execute("BEGIN");
        SchemaVersion found = known(session, errors);
        session.execute("COMMIT");
        return found;
    }

    /** Creates the tables in an empty file, in one transaction. Leaves any other file unchanged. */
    void create(SqliteSession session, SqliteErrors errors) throws SQLException {
        session.begin();
        if (known(session, errors).isEmpty()) {
            apply(session, 0);
        }
        session.execute("COMMIT");
    }

    /**
     * Upgrades a file to this version in one transaction. Leaves a newer file unchanged.
     *
     * @return the version that the file had before
     * @throws dev.holdfast.StoreException if the file is not Holdfast's, or too new
     */
    SchemaVersion upgrade(SqliteSession session, SqliteErrors errors) throws SQLException {
        session.begin();
        SchemaVersion found = known(session, errors);
        if (found.version() < version()) {
            apply(session, (int) found.version());
        }
        session.execute("COMMIT");
        return found;
    }

    private void apply(SqliteSession session, int from) throws SQLException {
        for (SqliteMigration step : steps.subList(from, version())) {
            for (String statement : step.statements()) {
                session.execute(statement);
            }
        }
        SqliteMigration last = steps.get(version() - 1);
        new SchemaVersion(version(), last.minReader(), last.minWriter()).write(session);
    }

    private SchemaVersion known(SqliteSession session, SqliteErrors errors) throws SQLException {
        SchemaVersion found = SchemaVersion.read(session, errors);
        requireWriter(found.minWriter(), errors);
        return found;
    }

    /** Rejects writes to a file that was upgraded after it was opened, to a schema that this code cannot write. */
    void requireWriter(SqliteSession session, SqliteErrors errors) throws SQLException {
        requireWriter(SchemaVersion.minWriter(session), errors);
    }

    private void requireWriter(long minWriter, SqliteErrors errors) {
        if (minWriter > version()) {
            throw errors.rejected("written by a newer Holdfast: its schema needs version " + minWriter
                    + " to write, and this Holdfast has " + version()
                    + "; it is left as it is: use the newer Holdfast");
        }
    }
}
