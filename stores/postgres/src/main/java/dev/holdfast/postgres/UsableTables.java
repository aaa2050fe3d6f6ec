package dev.holdfast.postgres;

import dev.holdfast.postgres.PostgresRows.EntryColumn;
import dev.holdfast.postgres.PostgresSchema.TableAccess;
import java.util.List;

/**
 * Tables that this code may use, and how.
 *
 * @param keepsHistory whether the tables have a column for histories, which version 2 added
 */
record UsableTables(PostgresSchema schema, TableAccess access, boolean keepsHistory) {
    /** The tables of the newest version that {@code schema} knows. */
    static UsableTables newest(PostgresSchema schema) {
        return new UsableTables(schema, TableAccess.WRITE, schema.keepsHistory(schema.newest()));
    }

    String entry() {
        return schema.entry();
    }

    String meta() {
        return schema.meta();
    }

    String channel() {
        return schema.channel();
    }

    /** The columns that writers set. */
    List<EntryColumn> columns() {
        return keepsHistory ? PostgresRows.COLUMNS_WITH_HISTORY : PostgresRows.COLUMNS;
    }

    /**
     * The columns that {@link PostgresRows#read} reads from a row {@code e}: the last two are its age by the database's
     * clock, and its history.
     */
    String selected() {
        return PostgresRows.SELECTED + (keepsHistory ? ", e.history" : ", NULL::bytea AS history");
    }
}
