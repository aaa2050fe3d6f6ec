package dev.holdfast.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is in the file, and how it came there: step n makes schema n of schema n - 1, and schema 0 is an empty file. The
 * file says which one it has ({@code user_version}) and that it is Holdfast's ({@code application_id}).
 *
 * <p>To change the schema append a step; never edit one that was released.
 *
 * <p>What a commit costs is the pages that it touches. So rows are kept in the order in which their keys first came, and
 * every index ends in that order too (SQLite appends the id): what is written together lies together, whatever the keys
 * are. Only the index of the keys themselves is as scattered as they are. None has a column that a renewal changes.
 *
 * <p>States are numbers (see {@link Rows}), in an order that puts the newest done beside those held: who finishes a new
 * key moves it by little.
 */
final class Schema {
    /** "Hfst". */
    static final int APPLICATION_ID = 0x48667374;

    static final Schema CURRENT = new Schema(List.of(List.of(
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
            "INSERT INTO meta (fence_floor, id_floor) VALUES (0, 0)")));

    private final List<List<String>> steps;

    Schema(List<List<String>> steps) {
        this.steps = steps;
    }

    /** This schema, changed further by {@code step}. */
    Schema with(List<String> step) {
        List<List<String>> all = new ArrayList<>(steps);
        all.add(step);
        return new Schema(all);
    }

    /**
     * Whether the file must be {@linkplain #upgrade upgraded} first; changes nothing.
     *
     * @throws dev.holdfast.spi.StoreException if the file is not Holdfast's, or too new
     */
    boolean isOutdated(Session session, SqliteErrors errors) throws SQLException {
        // One snapshot, or another process that creates the schema right now would look like another application.
        session.execute("BEGIN");
        int version = version(session, errors);
        session.execute("COMMIT");
        return version < steps.size();
    }

    /** Brings the file up to date in one transaction, unless another process was faster. */
    void upgrade(Session session, SqliteErrors errors) throws SQLException {
        session.begin();
        int version = version(session, errors);
        if (version < steps.size()) {
            for (List<String> step : steps.subList(version, steps.size())) {
                for (String statement : step) {
                    session.execute(statement);
                }
            }
            session.execute("PRAGMA application_id = " + APPLICATION_ID);
            session.execute("PRAGMA user_version = " + steps.size());
        }
        session.execute("COMMIT");
    }

    private int version(Session session, SqliteErrors errors) throws SQLException {
        long application = session.number("PRAGMA application_id");
        long version = session.number("PRAGMA user_version");
        boolean isEmpty = session.number("SELECT count(*) FROM sqlite_schema") == 0;
        if (isEmpty && application == 0 && version == 0) {
            return 0;
        }
        if (application != APPLICATION_ID || version < 1) {
            throw errors.rejected("an SQLite file of another application; it is left as it is: name another file");
        }
        if (version > steps.size()) {
            throw errors.rejected("written by a newer Holdfast, with schema " + version + " where this one knows "
                    + steps.size() + "; it is left as it is: use the newer Holdfast");
        }
        return (int) version;
    }
}
