package dev.holdfast.postgres;

import static java.util.stream.Collectors.joining;

import dev.holdfast.postgres.PostgresRows.EntryColumn;
import java.util.Set;

/**
 * Statements of a batch. A batch without removals, as most are, is first sent as {@linkplain #ofWrites short statements}. The
 * changes that they did not write, and batches with removals, take two longer statements. Statements that are sent together
 * take one round trip and form one transaction.
 *
 * <p><b>The first of the two writes.</b> It inserts the rows expected to be absent, then finds the rows at the expected
 * version, then replaces them. All writers use the same order, inserts first and each group by key, which prevents
 * deadlocks. Counting the inserts makes the search wait for them. Removals come after replacements, so a batch with
 * removals locks rows in order as it finds them. If another transaction changes a row while this one waits for it, the
 * server checks the new version of the row, and excludes it. A row at another version is not touched, so it costs no
 * WAL.
 *
 * <b>The second statement reads</b>, with a new snapshot, the entries that conflict with the changes that were not
 * applied. It also verifies the fence floor. An insert may have waited for a removal of the same key, and have used a
 * floor that it read before that removal. In this case the statement fails, and the batch is rolled back and sent
 * again.
 *
 * <p>Statements are prepared, and the server keeps a plan made for an empty table while the table fills. So the
 * statements leave the planner no choice: rows are found by key, one by one ({@code LATERAL}), and written where they
 * were found ({@code ctid}). Plain joins that were planned on an empty table would read the whole table.
 *
 * <p>{@code INSERT ... ON CONFLICT DO UPDATE ... WHERE version = ...} alone would be shorter but wrong, because it
 * creates a row where a version was expected. Updates before inserts, or in any other order, can deadlock.
 */
final class BatchStatements {
    /** Selects the row of key {@code c}, always by the primary key. */
    static final String SAME_KEY = "e.namespace = c.namespace AND e.name = c.name";

    /** Selects the row found for change {@code c}, unless another transaction changed its version meanwhile. */
    private static final String SAME_ROW = "e.ctid = c.place AND e.version = c.expected";

    /** Whether this transaction wrote the row. A row contains the lower 32 bits of the id of its transaction. */
    private static final String OURS =
            "coalesce(e.xmin::text::bigint = (txid_current_if_assigned() & 4294967295), false)";

    /** Notification payload for key {@code c}. It is a hash, because every user of the database may listen. */
    private static final String PAYLOAD =
            "encode(sha256(convert_to(length(c.namespace) || ':' || c.namespace || c.name, 'UTF8')), 'hex')";

    /** Number of changes written. A setting passes it to the later statement of the transaction. */
    private static final String WRITTEN = "holdfast.written";

    /** Lowest fence inserted. */
    private static final String LOWEST = "holdfast.lowest";

    private static final Set<String> SET_OTHERWISE = Set.of("namespace", "name", "attributes", "history");

    private final UsableTables tables;
    private final String replacing;
    private final String removing;
    private final String replacingUnlocked;
    private final String removingUnlocked;
    private final String replacingOne;
    private final String replacingOnly;
    private final String insertingOne;
    private final String insertingOnly;
    private final String insertingAndReplacing;

    BatchStatements(UsableTables tables) {
        this.tables = tables;
        this.replacing = write(false, false) + "; " + unapplied();
        this.removing = write(true, false) + "; " + unapplied();
        this.replacingUnlocked = write(false, true) + "; " + unapplied();
        this.removingUnlocked = write(true, true) + "; " + unapplied();
        this.replacingOne = replaceOne();
        this.replacingOnly = replaceOnly();
        this.insertingOne = insertOne() + "; " + floorCheck();
        this.insertingOnly = insertOnly() + "; " + floorCheck();
        this.insertingAndReplacing = insertOnly() + "; " + replaceOnly() + "; " + floorCheck();
    }

    /**
     * Returns both statements.
     *
     * @param skipLocked whether to skip rows that another transaction has locked, rather than wait for them
     */
    String of(boolean removes, boolean skipLocked) {
        return skipLocked ? removes ? removingUnlocked : replacingUnlocked : removes ? removing : replacing;
    }

    /**
     * Returns short statements for changes that insert and replace rows. Their results are the new versions of the rows that
     * they wrote. They say nothing about the others, and fail if the fence floor reached an inserted fence.
     *
     * <p>Parameters: the {@link UsableTables#columns} of the inserts; those of the replacements, and their expected versions;
     * the lowest fence of the inserts. A batch of one change has no arrays.
     */
    String ofWrites(int inserts, int replacements) {
        if (inserts == 0) {
            return replacements == 1 ? replacingOne : replacingOnly;
        }
        if (replacements > 0) {
            return insertingAndReplacing;
        }
        return inserts == 1 ? insertingOne : insertingOnly;
    }

    UsableTables tables() {
        return tables;
    }

    /** Parameters: the arrays of {@link UsableTables#columns} and the expected versions, in the order of keys. */
    String write(boolean removes, boolean skipLocked) {
        return changes() + ", " + inserted() + ", "
                + found(lock(removes, skipLocked) + ") e WHERE (SELECT count(*) FROM inserted) >= 0")
                + ", " + replaced()
                + (removes ? ", " + removed() : "")
                + " SELECT version, NULL FROM inserted"
                + " UNION ALL " + written()
                + (removes ? " UNION ALL SELECT version, NULL FROM removed" : "")
                + " UNION ALL SELECT NULL, set_config('" + WRITTEN + "', ((SELECT count(*) FROM inserted)"
                + " + (SELECT count(*) FROM replaced)" + (removes ? " + (SELECT count(*) FROM removed)" : "")
                + ")::text, true)"
                + " || set_config('" + LOWEST + "', coalesce((SELECT min(fence) FROM inserted), "
                + Long.MAX_VALUE + ")::text, true)";
    }

    /** Parameters: as of {@link #write}. */
    String replaceOnly() {
        return changes() + ", " + found(lock(false, false) + ") e") + ", " + replaced() + " " + written();
    }

    private String changes() {
        return "WITH change AS MATERIALIZED (SELECT * FROM unnest(" + arrays() + ", ?::uuid[])"
                + " WITH ORDINALITY AS c (" + names("") + ", expected, i))";
    }

    /** The replaced rows. A client that waits for one of them is notified. */
    private String written() {
        return "SELECT c.version, CASE WHEN c.was = 'HELD' AND c.state <> 'HELD' AND c.wanted > clock_timestamp()"
                + " THEN pg_notify('" + tables.channel() + "', " + PAYLOAD + ")::text END FROM replaced c";
    }

    private String inserted() {
        return "inserted AS (" + insert("change c WHERE c.expected IS NULL AND") + ")";
    }

    private String insertOnly() {
        return insert("unnest(" + arrays() + ") AS c (" + names("") + ") WHERE");
    }

    private String insertOne() {
        return insert("(SELECT " + single() + ") c WHERE");
    }

    /**
     * A floor of 0 means that there is none.
     *
     * @param from the source of the new rows {@code c}, up to the conditions
     */
    private String insert(String from) {
        return "INSERT INTO " + tables.entry() + " AS e (" + names("") + ", stamp)"
                + " SELECT " + names("c.") + ", clock_timestamp() FROM " + from
                + " c.fence > (SELECT CASE WHEN m.fence_floor = 0 THEN -1 ELSE m.fence_floor END FROM "
                + tables.meta() + " m)"
                + " ON CONFLICT (namespace, name) DO NOTHING RETURNING e.version, e.fence";
    }

    /**
     * Divides by zero, an error that PostgresErrors recognizes, if the floor rose to an inserted fence. It has a snapshot of its
     * own, which includes the removals that the inserts waited for.
     */
    private String floorCheck() {
        return "SELECT 1 / (CASE WHEN m.fence_floor >= ?::bigint THEN 0 ELSE 1 END) FROM " + tables.meta() + " m";
    }

    /**
     * A replacement takes a weaker lock than a removal, because a foreign key of another table may lock the row too.
     */
    private static String lock(boolean removes, boolean skipLocked) {
        if (skipLocked) {
            return removes ? " FOR UPDATE SKIP LOCKED" : " FOR NO KEY UPDATE SKIP LOCKED";
        }
        return removes ? " FOR UPDATE" : " OFFSET 0";
    }

    /** @param rest the lock on the rows, and the condition after the join */
    private String found(String rest) {
        return "found AS MATERIALIZED (SELECT c.*, e.place, e.was FROM change c"
                + " CROSS JOIN LATERAL (SELECT e.ctid AS place, e.state AS was FROM " + tables.entry()
                + " e WHERE " + SAME_KEY + " AND e.version = c.expected" + rest + ")";
    }

    private String replaced() {
        return "replaced AS (UPDATE " + tables.entry() + " e SET " + newValues()
                + " FROM found c WHERE " + SAME_ROW + " AND c.version IS NOT NULL"
                + " RETURNING e.namespace, e.name, e.version, e.state, e.wanted, c.was)";
    }

    /** A notification too many is harmless. So this one does not need the state before. */
    String replaceOne() {
        return "UPDATE " + tables.entry() + " e SET " + newValues()
                + " FROM (SELECT " + single() + ", ?::uuid AS expected) c"
                + " WHERE " + SAME_KEY + " AND e.version = c.expected"
                + " RETURNING e.version, CASE WHEN e.state <> 'HELD' AND e.wanted > clock_timestamp()"
                + " THEN pg_notify('" + tables.channel() + "', " + PAYLOAD + ")::text END";
    }

    /** The assignments that make row {@code e} the entry {@code c}. */
    private String newValues() {
        return tables.columns().stream()
                        .map(EntryColumn::name)
                        .filter(name -> !SET_OTHERWISE.contains(name))
                        .map(name -> name + " = c." + name)
                        .collect(joining(", "))
                + ", stamp = CASE WHEN e.beat IS NOT DISTINCT FROM c.beat THEN e.stamp ELSE clock_timestamp() END"
                // Large attributes and histories are stored outside the row. Unchanged ones are not written again.
                + ", attributes = CASE WHEN e.attributes = c.attributes THEN e.attributes ELSE c.attributes END"
                + (tables.keepsHistory()
                        ? ", history = CASE WHEN e.history = c.history THEN e.history ELSE c.history END"
                        : "");
    }

    /** A removal has no new version. */
    private String removed() {
        return "removed AS (DELETE FROM " + tables.entry() + " e USING found c WHERE " + SAME_ROW
                + " AND c.version IS NULL RETURNING e.version, e.fence)"
                + ", raised AS (UPDATE " + tables.meta() + " m SET fence_floor = r.fence"
                + " FROM (SELECT max(fence) AS fence FROM removed) r WHERE r.fence > m.fence_floor)";
    }

    /**
     * Parameters: the number of changes, so that nothing is read if all were written, and their namespaces, names and
     * new versions.
     */
    String unapplied() {
        return "SELECT c.i, (SELECT m.fence_floor FROM " + tables.meta() + " m), e.*"
                + " FROM unnest(?::text[], ?::text[], ?::uuid[]) WITH ORDINALITY AS c (namespace, name, version, i)"
                + " LEFT JOIN LATERAL (SELECT " + tables.selected() + ", " + OURS + " AS ours FROM "
                + tables.entry()
                + " e WHERE " + SAME_KEY + " OFFSET 0) e ON true"
                // Divides by zero, an error that PostgresErrors recognizes, if the floor rose above an inserted fence.
                + " WHERE CASE (SELECT 1 / (CASE WHEN m.fence_floor >= current_setting('" + LOWEST
                + "')::bigint THEN 0 ELSE 1 END) FROM " + tables.meta() + " m)"
                + " WHEN 1 THEN current_setting('" + WRITTEN + "') IS DISTINCT FROM ?::text END"
                + " AND (c.version IS NULL OR e.version IS DISTINCT FROM c.version OR NOT e.ours)";
    }

    private String single() {
        return tables.columns().stream()
                .map(column -> "?::" + column.type() + " AS " + column.name())
                .collect(joining(", "));
    }

    private String arrays() {
        return tables.columns().stream()
                .map(column -> "?::" + column.type() + "[]")
                .collect(joining(", "));
    }

    private String names(String prefix) {
        return tables.columns().stream().map(column -> prefix + column.name()).collect(joining(", "));
    }
}
