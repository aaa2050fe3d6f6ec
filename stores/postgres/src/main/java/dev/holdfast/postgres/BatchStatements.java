package dev.holdfast.postgres;

import static java.util.stream.Collectors.joining;

import dev.holdfast.postgres.PostgresRows.Column;
import java.util.Set;

/**
 * The two statements of a batch. They go to the server together, in one round trip, and are one transaction.
 *
 * <p><b>The first writes.</b> It inserts what is expected to be absent, then finds the rows that are at the expected
 * version, then replaces those. All who write do this in the same order, inserts before the rest and each by key, so
 * there is nothing to deadlock on; the finding waits for the inserts by counting them. Removals come after replacements,
 * so where there are some, rows are locked, in order, as they are found. A row that somebody else
 * changes while we wait for it is looked at again by the server, in its new version, and falls out. A row at another
 * version is not touched: it costs no WAL.
 *
 * <p><b>The second answers</b>, with a new snapshot, what is there instead of the changes that did not apply. And it sees
 * to the fence floor: an insert may have waited for a removal of the same key, and have gone by a floor that it read
 * before that. Then it fails, and the batch is rolled back and sent again.
 *
 * <p>Statements are prepared, and a plan that was good for an empty table is kept while it fills. So they leave the
 * planner no choice: rows are found from the keys, one by one ({@code LATERAL}), and written where they were found
 * ({@code ctid}). Plain joins read the whole table when they were planned on an empty one.
 *
 * <p>{@code INSERT ... ON CONFLICT DO UPDATE ... WHERE version = ...} alone would be shorter and wrong: it creates a row
 * where a version was expected. Updates before inserts, or in any order, deadlock.
 */
final class BatchStatements {
    /** The row of the key {@code c}, found by the primary key whatever the planner thinks. */
    static final String SAME_KEY = "e.namespace = c.namespace AND e.name = c.name";

    /** The row that was found for the change {@code c}, unless somebody else was faster: then its version tells. */
    private static final String SAME_ROW = "e.ctid = c.place AND e.version = c.expected";

    /** A row that this transaction wrote: a row has the lower 32 bits of the id of its transaction. */
    private static final String OURS =
            "coalesce(e.xmin::text::bigint = (txid_current_if_assigned() & 4294967295), false)";

    /** Of a key {@code c}, for the channel: everybody in the database may listen, so it does not tell the key. */
    private static final String PAYLOAD =
            "encode(sha256(convert_to(length(c.namespace) || ':' || c.namespace || c.name, 'UTF8')), 'hex')";

    /** How many changes were written: a setting is how a statement tells a later one of its transaction. */
    private static final String WRITTEN = "holdfast.written";

    /** The lowest fence that was inserted. */
    private static final String LOWEST = "holdfast.lowest";

    private static final Set<String> SET_OTHERWISE = Set.of("namespace", "name", "attributes");

    private final PostgresSchema postgresSchema;
    private final String withRemovals;
    private final String without;
    private final String withRemovalsSkipping;
    private final String withoutSkipping;

    BatchStatements(PostgresSchema postgresSchema) {
        this.postgresSchema = postgresSchema;
        this.withRemovals = write(true, false) + "; " + answer();
        this.without = write(false, false) + "; " + answer();
        this.withRemovalsSkipping = write(true, true) + "; " + answer();
        this.withoutSkipping = write(false, true) + "; " + answer();
    }

    /**
     * Both statements.
     *
     * @param skipLocked whether rows that another transaction has locked are left out rather than waited for
     */
    String of(boolean removes, boolean skipLocked) {
        return skipLocked ? removes ? withRemovalsSkipping : withoutSkipping : removes ? withRemovals : without;
    }

    /** The parameters are the arrays of {@link PostgresRows#COLUMNS} and the expected versions, in the order of keys. */
    String write(boolean removes, boolean skipLocked) {
        return "WITH change AS MATERIALIZED (SELECT * FROM unnest(" + arrays() + ", ?::uuid[])"
                + " WITH ORDINALITY AS c (" + names("") + ", expected, i)), "
                + inserted() + ", " + found(lock(removes, skipLocked)) + ", " + replaced()
                + (removes ? ", " + removed() : "")
                + " SELECT version, NULL FROM inserted"
                + " UNION ALL SELECT c.version, CASE WHEN c.was = 'HELD' AND c.state <> 'HELD'"
                + " AND c.wanted > clock_timestamp()"
                + " THEN pg_notify('" + postgresSchema.channel() + "', " + PAYLOAD + ")::text END FROM replaced c"
                + (removes ? " UNION ALL SELECT version, NULL FROM removed" : "")
                + " UNION ALL SELECT NULL, set_config('" + WRITTEN + "', ((SELECT count(*) FROM inserted)"
                + " + (SELECT count(*) FROM replaced)" + (removes ? " + (SELECT count(*) FROM removed)" : "")
                + ")::text, true)"
                + " || set_config('" + LOWEST + "', coalesce((SELECT min(fence) FROM inserted), "
                + Long.MAX_VALUE + ")::text, true)";
    }

    /** A floor of 0 is none. */
    private String inserted() {
        return "inserted AS (INSERT INTO " + postgresSchema.entry() + " AS e (" + names("") + ", stamp)"
                + " SELECT " + names("c.") + ", clock_timestamp() FROM change c WHERE c.expected IS NULL"
                + " AND c.fence > (SELECT CASE WHEN m.fence_floor = 0 THEN -1 ELSE m.fence_floor END FROM "
                + postgresSchema.meta() + " m)"
                + " ON CONFLICT (namespace, name) DO NOTHING RETURNING e.version, e.fence)";
    }

    /** What a replacement locks is weaker than what a removal locks: a foreign key of another table may lock it too. */
    private static String lock(boolean removes, boolean skipLocked) {
        if (skipLocked) {
            return removes ? " FOR UPDATE SKIP LOCKED" : " FOR NO KEY UPDATE SKIP LOCKED";
        }
        return removes ? " FOR UPDATE" : " OFFSET 0";
    }

    private String found(String lock) {
        return "found AS MATERIALIZED (SELECT c.*, e.place, e.was FROM change c"
                + " CROSS JOIN LATERAL (SELECT e.ctid AS place, e.state AS was FROM " + postgresSchema.entry()
                + " e WHERE "
                + SAME_KEY + " AND e.version = c.expected" + lock + ") e"
                + " WHERE (SELECT count(*) FROM inserted) >= 0)";
    }

    private String replaced() {
        String set = PostgresRows.COLUMNS.stream()
                .map(Column::name)
                .filter(name -> !SET_OTHERWISE.contains(name))
                .map(name -> name + " = c." + name)
                .collect(joining(", "));
        return "replaced AS (UPDATE " + postgresSchema.entry() + " e SET " + set
                + ", stamp = CASE WHEN e.beat IS NOT DISTINCT FROM c.beat THEN e.stamp ELSE clock_timestamp() END"
                // Large attributes lie outside of the row; those that stay the same are not written again.
                + ", attributes = CASE WHEN e.attributes = c.attributes THEN e.attributes ELSE c.attributes END"
                + " FROM found c WHERE " + SAME_ROW + " AND c.version IS NOT NULL"
                + " RETURNING e.namespace, e.name, e.version, e.state, e.wanted, c.was)";
    }

    /** A removal has no version to become. */
    private String removed() {
        return "removed AS (DELETE FROM " + postgresSchema.entry() + " e USING found c WHERE " + SAME_ROW
                + " AND c.version IS NULL RETURNING e.version, e.fence)"
                + ", raised AS (UPDATE " + postgresSchema.meta() + " m SET fence_floor = r.fence"
                + " FROM (SELECT max(fence) AS fence FROM removed) r WHERE r.fence > m.fence_floor)";
    }

    /**
     * The parameters are how many changes there are, so that nothing is looked up if all were written, and their
     * namespaces, names and new versions.
     */
    String answer() {
        return "SELECT c.i, (SELECT m.fence_floor FROM " + postgresSchema.meta() + " m), e.*"
                + " FROM unnest(?::text[], ?::text[], ?::uuid[]) WITH ORDINALITY AS c (namespace, name, version, i)"
                + " LEFT JOIN LATERAL (SELECT " + PostgresRows.SELECTED + ", " + OURS + " AS ours FROM "
                + postgresSchema.entry()
                + " e WHERE " + SAME_KEY + " OFFSET 0) e ON true"
                // Divides by zero, which PostgresErrors knows, if the floor rose above what was inserted.
                + " WHERE CASE (SELECT 1 / (CASE WHEN m.fence_floor >= current_setting('" + LOWEST
                + "')::bigint THEN 0 ELSE 1 END) FROM " + postgresSchema.meta() + " m)"
                + " WHEN 1 THEN current_setting('" + WRITTEN + "') IS DISTINCT FROM ?::text END"
                + " AND (c.version IS NULL OR e.version IS DISTINCT FROM c.version OR NOT e.ours)";
    }

    private static String arrays() {
        return PostgresRows.COLUMNS.stream()
                .map(column -> "?::" + column.type() + "[]")
                .collect(joining(", "));
    }

    private static String names(String prefix) {
        return PostgresRows.COLUMNS.stream()
                .map(column -> prefix + column.name())
                .collect(joining(", "));
    }
}
