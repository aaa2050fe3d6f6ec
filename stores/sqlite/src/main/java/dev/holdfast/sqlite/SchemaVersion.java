package dev.holdfast.sqlite;

import java.sql.SQLException;

/**
 * Schema version that a file records about itself.
 *
 * @param version 0 for an empty file
 * @param minReader the oldest version with code that can read the file
 * @param minWriter the oldest version with code that can read and write it
 */
record SchemaVersion(long version, long minReader, long minWriter) {
    /** "Hfst". */
    static final int APPLICATION_ID = 0x48667374;

    /** The table has one row. Files of schema 1 do not have it. */
    static final String CREATE = "CREATE TABLE schema_version (version INTEGER NOT NULL, min_reader INTEGER NOT NULL,"
            + " min_writer INTEGER NOT NULL) STRICT";

    private static final SchemaVersion EMPTY = new SchemaVersion(0, 0, 0);
    private static final String MIN_WRITER = "PRAGMA user_version";

    /**
     * Reads the record. The caller must have begun a transaction: otherwise a file that another process is creating
     * would look like a file of another application.
     *
     * @throws dev.holdfast.StoreException if the file is not Holdfast's
     */
    static SchemaVersion read(SqliteSession session, SqliteErrors errors) throws SQLException {
        long application = session.number("PRAGMA application_id");
        long minWriter = session.number(MIN_WRITER);
        boolean isEmpty = session.number("SELECT count(*) FROM sqlite_schema") == 0;
        if (isEmpty && application == 0 && minWriter == 0) {
            return EMPTY;
        }
        if (application != APPLICATION_ID || minWriter < 1) {
            throw errors.rejected("an SQLite file of another application; it is left as it is: name another file");
        }
        boolean isRecorded = session.number("SELECT count(*) FROM sqlite_schema WHERE name = 'schema_version'") > 0;
        return isRecorded ? recorded(session, minWriter, errors) : new SchemaVersion(minWriter, minWriter, minWriter);
    }

    private static SchemaVersion recorded(SqliteSession session, long minWriter, SqliteErrors errors)
            throws SQLException {
        SchemaVersion found = new SchemaVersion(
                session.number("SELECT max(version) FROM schema_version"),
                session.number("SELECT max(min_reader) FROM schema_version"),
                Math.max(minWriter, session.number("SELECT max(min_writer) FROM schema_version")));
        if (found.version < 1 || found.minReader < 1) {
            throw errors.rejected("its table schema_version is damaged: restore the file from a backup");
        }
        return found;
    }

    /** Writes the record, in the transaction that changed the schema. */
    void write(SqliteSession session) throws SQLException {
        session.execute("DELETE FROM schema_version");
        session.execute("INSERT INTO schema_version VALUES (" + version + ", " + minReader + ", " + minWriter + ")");
        session.execute("PRAGMA application_id = " + APPLICATION_ID);
        // Code of schema 1 reads only this number, and rejects a file with a number above 1.
        session.execute(MIN_WRITER + " = " + minWriter);
    }

    /** Returns the oldest version that may write. It may have changed since the file was opened. */
    static long minWriter(SqliteSession session) throws SQLException {
        return session.number(MIN_WRITER);
    }

    boolean isEmpty() {
        return version == 0;
    }
}
