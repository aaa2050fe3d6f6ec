package dev.holdfast.sqlite;

/**
 * Statements on the table of entries, with or without the column of histories. Files of schemas before 3 lack it.
 *
 * @param keepsHistory whether the statements read and write histories
 * @param selected all columns of an entry, then its id and its history
 */
record SqliteStatements(
        boolean keepsHistory, String selected, String read, String insert, String renew, String end, String replace) {
    /** The columns that no index contains. An unchanged beat keeps its stamp. */
    private static final String SET_UNINDEXED = "version = ?3, fence = ?7, grants = ?8, term_millis = ?9, beat = ?10,"
            + " granted_at_micros = ?11, anchor_namespace = ?12, anchor_name = ?13, anchor_fence = ?14,"
            + " attributes = ?15, created_at_micros = ?16, done_at_micros = ?17,"
            + " boot = CASE WHEN beat IS ?10 THEN boot ELSE ?18 END,"
            + " stamp_nanos = CASE WHEN beat IS ?10 THEN stamp_nanos ELSE ?19 END";

    private static final String AT_EXPECTED =
            " WHERE namespace = ?1 AND name = ?2 AND version = ?" + SqliteRows.EXPECTED;

    private static final String OF_SAME_GRANT = " AND token IS ?5 AND holder IS ?6";

    static final SqliteStatements WITH_HISTORY = of(true);
    static final SqliteStatements WITHOUT_HISTORY = of(false);

    private static SqliteStatements of(boolean keepsHistory) {
        String selected = "SELECT " + SqliteRows.COLUMNS + ", id, " + (keepsHistory ? "history" : "NULL");
        String unindexed = SET_UNINDEXED + (keepsHistory ? ", history = ?" + SqliteRows.HISTORY : "");
        return new SqliteStatements(
                keepsHistory,
                selected,
                selected + " FROM entry WHERE namespace = ?1 AND name = ?2",
                insert(keepsHistory),
                // SQLite rewrites the index of every column that is set, changed or not, which costs a page of the log.
                // So a renewal sets no indexed column, and a release or a done mark sets only the state.
                "UPDATE entry SET " + unindexed + AT_EXPECTED + " AND state = ?4" + OF_SAME_GRANT,
                "UPDATE entry SET state = ?4, " + unindexed + AT_EXPECTED + OF_SAME_GRANT,
                "UPDATE entry SET state = ?4, token = ?5, holder = ?6, " + unindexed + AT_EXPECTED);
    }

    /**
     * Assigns the next id, and inserts nothing if the fence is not above the floor. A floor of 0 means that there is
     * none.
     */
    private static String insert(boolean keepsHistory) {
        return "INSERT INTO entry (" + SqliteRows.COLUMNS + ", id" + (keepsHistory ? ", history" : "")
                + ") SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
                + " ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,"
                + " max(id_floor, coalesce((SELECT max(id) FROM entry), 0)) + 1"
                + (keepsHistory ? ", ?" + SqliteRows.HISTORY : "")
                + " FROM meta WHERE fence_floor < ?7 OR fence_floor = 0 ON CONFLICT DO NOTHING";
    }
}
