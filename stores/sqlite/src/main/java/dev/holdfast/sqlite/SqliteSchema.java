package dev.holdfast.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables of a file and the steps that create them: step n makes schema n of schema n - 1, and schema 0 is an empty
 * file. {@link SchemaVersion} says what a file records about its schema.
 *
 * <p>Opening an existing file never changes its schema: only {@link #upgrade} does. So processes of several versions can
 * share a file, and a newer version can be rolled back, while the version of each is at least the file's {@code
 * min_writer} and the file's version is at least {@link #oldest}.
 *
 * <p>To change the schema append a step; never edit one that was released. A step whose tables the code before it can
 * still write says so with its {@code minWriter}. The code must work with all versions from {@link #oldest} on.
 *
 * <p>What a commit costs is the pages that it touches. So rows are kept in the order in which their keys first came, and
 * every index ends in that order too (SQLite appends the id): what is written together lies together, whatever the keys
 * are. Only the index of the keys themselves is as scattered as they are. None has a column that a renewal changes.
 *
 * <p>States are numbers (see {@link SqliteRows}), in an order that puts the newest done entries beside the held ones: marking a
 * new key done moves it by little.
 */
final class SqliteSchema {
    /** {@link #oldest} of the current code. */
    private static final int OLDEST = 1;

    static final SqliteSchema CURRENT = new SqliteSchema(
            OLDEST,
            List.of(
                    new SchemaMigration(
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
                    new SchemaMigration(1, 1, List.of(SchemaVersion.CREATE))));

    /** The oldest version that this code can read and write. */
    private final int oldest;

    private final List<SchemaMigration> steps;

    SqliteSchema(int oldest, List<SchemaMigration> steps) {
        this.oldest = oldest;
        this.steps = steps;
    }

    /** This schema, changed further by {@code step}. */
    SqliteSchema with(SchemaMigration step) {
        List<SchemaMigration> all = new ArrayList<>(steps);
        all.add(step);
        return new SqliteSchema(oldest, all);
    }

    /** This schema, of code that can no longer use files older than {@code newOldest}. */
    SqliteSchema from(int newOldest) {
        return new SqliteSchema(newOldest, steps);
    }

    /** The version that this code creates. */
    int version() {
        return steps.size();
    }

    /**
     * The version of the file, which this code can use if it is not empty; changes nothing.
     *
     * @throws dev.holdfast.StoreException if the file is not Holdfast's, too new or too old
     */
    SchemaVersion usable(SqliteSession sqliteSession, SqliteErrors errors) throws SQLException {
        SchemaVersion found = upgradable(sqliteSession, errors);
        if (!found.isEmpty() && found.version() < oldest) {
            throw errors.rejected("has schema " + found.version() + ", and this Holdfast can use " + oldest
                    + " and newer: run 'holdfast store upgrade'");
        }
        return found;
    }

    /** The version of a file that may be too old; @see #usable */
    SchemaVersion upgradable(SqliteSession sqliteSession, SqliteErrors errors) throws SQLException {
        sqliteSession.execute("BEGIN");
        SchemaVersion found = known(sqliteSession, errors);
        sqliteSession.execute("COMMIT");
        return found;
    }

    /** Creates the tables in an empty file, in one transaction; leaves any other as it is. */
    void create(SqliteSession sqliteSession, SqliteErrors errors) throws SQLException {
        sqliteSession.begin();
        if (known(sqliteSession, errors).isEmpty()) {
            apply(sqliteSession, 0);
        }
        sqliteSession.execute("COMMIT");
    }

    /**
     * Brings a file to this version in one transaction; leaves a newer one as it is.
     *
     * @return the version that the file had before
     * @throws dev.holdfast.StoreException if the file is not Holdfast's, or too new
     */
    SchemaVersion upgrade(SqliteSession sqliteSession, SqliteErrors errors) throws SQLException {
        sqliteSession.begin();
        SchemaVersion found = known(sqliteSession, errors);
        if (found.version() < version()) {
            apply(sqliteSession, (int) found.version());
        }
        sqliteSession.execute("COMMIT");
        return found;
    }

    private void apply(SqliteSession sqliteSession, int from) throws SQLException {
        for (SchemaMigration step : steps.subList(from, version())) {
            for (String statement : step.statements()) {
                sqliteSession.execute(statement);
            }
        }
        SchemaMigration last = steps.get(version() - 1);
        new SchemaVersion(version(), last.minReader(), last.minWriter()).write(sqliteSession);
    }

    private SchemaVersion known(SqliteSession sqliteSession, SqliteErrors errors) throws SQLException {
        SchemaVersion found = SchemaVersion.read(sqliteSession, errors);
        requireWriter(found.minWriter(), errors);
        return found;
    }

    /**
     * Refuses to write a file that was upgraded since it was opened, to a schema that this code does not know how to
     * write.
     */
    void requireWriter(SqliteSession sqliteSession, SqliteErrors errors) throws SQLException {
        requireWriter(SchemaVersion.minWriter(sqliteSession), errors);
    }

    private void requireWriter(long minWriter, SqliteErrors errors) {
        if (minWriter > version()) {
            throw errors.rejected("written by a newer Holdfast: its schema needs version " + minWriter
                    + " to write, and this Holdfast has " + version()
                    + "; it is left as it is: use the newer Holdfast");
        }
    }
}
