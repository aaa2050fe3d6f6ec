package dev.holdfast.postgres;

import static java.util.stream.Collectors.joining;

import dev.holdfast.postgres.Rows.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The statements of one batch. They go to the server together, in one round trip, and are one transaction.
 *
 * <p><b>The first keeps inserts and removals apart</b>; replacements, which are most of what is written, do without. An
 * insert may have to wait for a removal of the same key to commit, and would then go by a fence floor that it read
 * before that. So removals have the lock to themselves, inserts share it, and take it in a statement of its own: the
 * next one has a new snapshot.
 *
 * <p><b>The second writes.</b> It inserts what is expected to be absent, then locks the rows that are at the expected
 * version, then replaces and removes those. All who write do this in the same order, inserts before locks and each by
 * key, so there is nothing to deadlock on; the locking waits for the inserts by counting them. A row that somebody else
 * changes while we wait for its lock is looked at again by the server, in its new version, and falls out. A row at
 * another version is neither locked nor written: it costs no WAL.
 *
 * <p><b>The last answers</b>, with a new snapshot, what is there instead of the changes that did not apply.
 *
 * <p>Statements are prepared, and a plan that was good for an empty table is kept while it fills. So they leave the
 * planner no choice: rows are found from the keys, one by one ({@code LATERAL}), and replaced by way of the primary key
 * ({@code ON CONFLICT}; there always is a conflict, as the row is locked). Plain joins read the whole table when they
 * were planned on an empty one.
 *
 * <p>{@code INSERT ... ON CONFLICT DO UPDATE ... WHERE version = ...} alone would be shorter and wrong: it creates a row
 * where a version was expected. Updates before inserts, or in any order, deadlock.
 */
final class BatchSql {
    /** What a batch consists of. Most are of one kind. */
    record Kinds(boolean inserts, boolean replaces, boolean removes) {
        boolean locks() {
            return replaces || removes;
        }

        /** Whether the first statement is there. */
        boolean barrier() {
            return inserts || removes;
        }
    }

    /** The row of the key {@code c}, found by the primary key whatever the planner thinks. */
    static final String SAME_KEY = "e.namespace = c.namespace AND e.name = c.name";

    /** A row that this transaction wrote: a row has the lower 32 bits of the id of its transaction. */
    private static final String OURS =
            "coalesce(e.xmin::text::bigint = (txid_current_if_assigned() & 4294967295), false)";

    /** Of a key {@code c}, for the channel: everybody in the database may listen, so it does not tell the key. */
    private static final String PAYLOAD =
            "encode(sha256(convert_to(length(c.namespace) || ':' || c.namespace || c.name, 'UTF8')), 'hex')";

    /** How many changes of this transaction were written: a setting is how a statement tells a later one. */
    private static final String WRITTEN = "holdfast.written";

    /** "hold", as a number: the first half of the number that is locked by. */
    private static final int LOCK = 0x686f6c64;

    private final Schema schema;
    private final Map<Kinds, String> known = new ConcurrentHashMap<>();

    BatchSql(Schema schema) {
        this.schema = schema;
    }

    String of(Kinds kinds) {
        return known.computeIfAbsent(kinds, this::build);
    }

    private String build(Kinds kinds) {
        List<String> parts = new ArrayList<>();
        List<String> results = new ArrayList<>();
        if (kinds.inserts) {
            parts.add(inserted());
            results.add("SELECT version, NULL FROM inserted");
        }
        if (kinds.locks()) {
            parts.add(locked(kinds.inserts));
        }
        if (kinds.replaces) {
            parts.add(replaced());
            results.add("SELECT version, NULL FROM replaced");
            results.add("SELECT NULL, pg_notify('" + schema.channel() + "', " + PAYLOAD + ")::text FROM locked c"
                    + " WHERE c.was = 'HELD' AND c.state <> 'HELD' AND c.wanted > clock_timestamp()");
        }
        if (kinds.removes) {
            parts.add(removed());
            results.add("SELECT version, NULL FROM removed");
        }
        results.add("SELECT NULL, set_config('" + WRITTEN + "', (" + count(kinds) + ")::text, true)");
        return (kinds.barrier() ? barrier(schema, kinds.removes) + "; " : "")
                + "WITH " + String.join(", ", parts) + " " + String.join(" UNION ALL ", results)
                + "; " + answer();
    }

    private static String count(Kinds kinds) {
        List<String> counts = new ArrayList<>();
        if (kinds.inserts) {
            counts.add("(SELECT count(*) FROM inserted)");
        }
        if (kinds.replaces) {
            counts.add("(SELECT count(*) FROM replaced)");
        }
        if (kinds.removes) {
            counts.add("(SELECT count(*) FROM removed)");
        }
        return String.join(" + ", counts);
    }

    static String barrier(Schema schema, boolean alone) {
        return "SELECT pg_advisory_xact_lock" + (alone ? "" : "_shared") + "(" + LOCK + ", "
                + schema.channel().hashCode() + ")";
    }

    /** The parameters are the arrays of {@link Rows#COLUMNS}, in the order of keys. A floor of 0 is none. */
    private String inserted() {
        return "inserted AS (INSERT INTO " + schema.entry() + " AS e (" + names("") + ", stamp)"
                + " SELECT " + names("c.") + ", clock_timestamp() FROM unnest(" + arrays() + ")"
                + " WITH ORDINALITY AS c (" + names("") + ", i)"
                + " WHERE c.fence > (SELECT CASE WHEN m.fence_floor = 0 THEN -1 ELSE m.fence_floor END FROM "
                + schema.meta() + " m)"
                + " ORDER BY c.i ON CONFLICT (namespace, name) DO NOTHING RETURNING e.version)";
    }

    /**
     * The parameters are the arrays of {@link Rows#COLUMNS} and the expected versions, in the order of keys. Removals
     * have no version.
     */
    private String locked(boolean afterInserts) {
        return "locked AS MATERIALIZED (SELECT c.*, e.state AS was, e.wanted FROM"
                + " (SELECT * FROM unnest(" + arrays() + ", ?::uuid[])"
                + " WITH ORDINALITY AS c (" + names("") + ", expected, i)"
                + (afterInserts ? " WHERE (SELECT count(*) FROM inserted) >= 0" : "")
                + " ORDER BY c.i) c"
                + " CROSS JOIN LATERAL (SELECT e.state, e.wanted FROM " + schema.entry() + " e WHERE " + SAME_KEY
                + " AND e.version = c.expected FOR UPDATE) e)";
    }

    private String replaced() {
        String set = Rows.COLUMNS.stream()
                .map(Column::name)
                .filter(name -> !name.equals("namespace") && !name.equals("name") && !name.equals("attributes"))
                .map(name -> name + " = excluded." + name)
                .collect(joining(", "));
        return "replaced AS (INSERT INTO " + schema.entry() + " AS e (" + names("") + ", stamp)"
                + " SELECT " + names("c.") + ", clock_timestamp() FROM locked c WHERE c.version IS NOT NULL"
                + " ON CONFLICT (namespace, name) DO UPDATE SET " + set
                + ", stamp = CASE WHEN e.beat IS NOT DISTINCT FROM excluded.beat THEN e.stamp ELSE excluded.stamp END"
                // Large attributes lie outside of the row; those that stay the same are not written again.
                + ", attributes = CASE WHEN e.attributes = excluded.attributes THEN e.attributes"
                + " ELSE excluded.attributes END"
                + " RETURNING e.version)";
    }

    private String removed() {
        return "removed AS (DELETE FROM " + schema.entry() + " e USING locked c WHERE " + SAME_KEY
                + " AND c.version IS NULL RETURNING e.version, e.fence)"
                + ", raised AS (UPDATE " + schema.meta() + " m SET fence_floor = r.fence"
                + " FROM (SELECT max(fence) AS fence FROM removed) r WHERE r.fence > m.fence_floor)";
    }

    /**
     * The parameters are namespaces, names and new versions of all changes, and how many there are: if so many were
     * written, nothing is looked up at all.
     */
    private String answer() {
        return "SELECT c.i, (SELECT m.fence_floor FROM " + schema.meta() + " m), e.*"
                + " FROM unnest(?::text[], ?::text[], ?::uuid[]) WITH ORDINALITY AS c (namespace, name, version, i)"
                + " LEFT JOIN LATERAL (SELECT " + Rows.SELECTED + ", " + OURS + " AS ours FROM " + schema.entry()
                + " e WHERE " + SAME_KEY + " OFFSET 0) e ON true"
                + " WHERE current_setting('" + WRITTEN + "', true) IS DISTINCT FROM ?::text"
                + " AND (c.version IS NULL OR e.version IS DISTINCT FROM c.version OR NOT e.ours)";
    }

    private static String arrays() {
        return Rows.COLUMNS.stream().map(column -> "?::" + column.type() + "[]").collect(joining(", "));
    }

    private static String names(String prefix) {
        return Rows.COLUMNS.stream().map(column -> prefix + column.name()).collect(joining(", "));
    }
}
