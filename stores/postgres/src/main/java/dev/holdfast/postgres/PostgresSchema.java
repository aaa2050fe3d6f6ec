package dev.holdfast.postgres;

import dev.holdfast.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Tables of the store, and the steps from each version to the next.
 *
 * <p>Steps are only ever appended. They run in one transaction, under a lock shared by all processes that change tables
 * of this database. So two processes that start at once apply them once, and a failed step leaves nothing behind.
 *
 * <p>The tables record which versions of this code may read and write them. Code older than the tables uses them if the
 * record permits it. Code newer than the tables uses them as they are. So processes of two releases work side by side,
 * and an operator decides when to upgrade the tables.
 */
public final class PostgresSchema {
    /**
     * Step to the next version.
     *
     * @param sql {@code $} stands for the name of the schema
     * @param minReader the oldest version that code must know to read the tables after this step
     * @param minWriter the oldest version that code must know to write them
     */
    record SchemaStep(String sql, int minReader, int minWriter) {
        SchemaStep {
            if (minReader < 1 || minWriter < minReader) {
                throw new IllegalArgumentException("minReader: " + minReader + ", minWriter: " + minWriter
                        + " (expected: 1 <= minReader <= minWriter)");
            }
        }
    }

    /** Access that this code has to the tables. */
    enum TableAccess {
        WRITE,
        READ,
        NONE
    }

    /**
     * Tables as found in the database. If they do not record which code may use them, only code that knows their
     * version may.
     *
     * @param version 0 if there are none
     * @param recordsUse whether they record which code may use them
     */
    record FoundTables(int version, int minReader, int minWriter, boolean recordsUse) {
        static final FoundTables NOTHING = new FoundTables(0, 0, 0, false);

        boolean isMissing() {
            return version == 0;
        }

        /** Describes the permitted versions. */
        String use() {
            return "a Holdfast that knows version " + minReader + " may read them, one that knows version " + minWriter
                    + " may write them";
        }

        /** Returns the access of code that knows versions up to {@code known}. */
        TableAccess access(int known) {
            if (version <= known || minWriter <= known) {
                return TableAccess.WRITE;
            }
            return minReader <= known ? TableAccess.READ : TableAccess.NONE;
        }
    }

    private static final List<SchemaStep> STEPS = List.of(new SchemaStep("""
            CREATE TABLE $.meta (
              id boolean PRIMARY KEY DEFAULT true CHECK (id),
              schema_version integer NOT NULL,
              fence_floor bigint NOT NULL
            );
            INSERT INTO $.meta (schema_version, fence_floor) VALUES (1, 0);

            -- COLLATE "C" is the order of the UTF-8 bytes, which is the order of keys everywhere in Holdfast.
            -- A renewal changes version, beat, stamp and term: none of them is indexed, so it touches no index (HOT).
            -- wanted: until this time a client waits, and is notified when the key is released.
            CREATE TABLE $.entry (
              namespace text COLLATE "C" NOT NULL,
              name text COLLATE "C" NOT NULL,
              version uuid NOT NULL,
              state text COLLATE "C" NOT NULL,
              fence bigint NOT NULL,
              grants bigint NOT NULL,
              token uuid,
              holder text COLLATE "C",
              term_millis bigint,
              beat uuid,
              stamp timestamptz NOT NULL,
              granted_at timestamptz,
              anchor_namespace text COLLATE "C",
              anchor_name text COLLATE "C",
              anchor_fence bigint,
              attributes bytea NOT NULL,
              created_at timestamptz NOT NULL,
              done_at timestamptz,
              wanted timestamptz,
              PRIMARY KEY (namespace, name)
            ) WITH (
              -- Room for a second version of every row on its own page: all leases may be renewed at once, repeatedly,
              -- without growing the table.
              fillfactor = 50,
              -- Short-lived leases leave dead index entries; small, frequent vacuums keep the indexes small.
              autovacuum_vacuum_scale_factor = 0.05,
              autovacuum_analyze_scale_factor = 0.05
            );
            -- COLLATE "POSIX" is the same order by another name. It keeps the planner from looking up a key in this one:
            -- on an empty table all indexes seem equally good to it, and the plan is kept while the table fills.
            -- There is no index by holder: it would cost every grant more than the few scans by holder gain.
            CREATE INDEX entry_by_state ON $.entry (state, namespace COLLATE "POSIX", name COLLATE "POSIX");
            CREATE INDEX entry_by_token ON $.entry (token);
            """, 1, 1), new SchemaStep("""
            -- The last grants that have ended. Older code leaves it as it is; the grants that it ends are missing in it.
            ALTER TABLE $.entry ADD COLUMN IF NOT EXISTS history bytea;
            """, 1, 1));

    /** The version that added histories. */
    private static final int WITH_HISTORY = 2;

    /** Not a step: tables of version 1 may lack these columns, and code that knows only version 1 ignores them. */
    private static final String RECORD_USE = "ALTER TABLE $.meta ADD COLUMN IF NOT EXISTS min_reader integer,"
            + " ADD COLUMN IF NOT EXISTS min_writer integer";

    /** The longest that a table change waits for other programs, because all writers queue behind it meanwhile. */
    private static final String LOCK_WAIT = "2s";

    /** "holdfast" as a number. Other programs that use advisory locks in this database should choose another number. */
    private static final long LOCK = 0x686f6c6466617374L;

    private final String name;
    private final List<SchemaStep> steps;

    PostgresSchema(String name) {
        this(name, STEPS);
    }

    /** For tests: with other steps than the real ones. */
    PostgresSchema(String name, List<SchemaStep> steps) {
        this.name = name;
        this.steps = steps;
    }

    /** Returns the SQL for a DBA to run if Holdfast may not: it creates schema {@code name} and its contents. */
    public static String ddl(String name) {
        return new PostgresSchema(name).ddlFrom(0);
    }

    /** The newest version that this code knows. It can use all older ones, too. */
    int newest() {
        return steps.size();
    }

    /** For tests: the steps, of which older code knows fewer. */
    List<SchemaStep> steps() {
        return steps;
    }

    String name() {
        return name;
    }

    String entry() {
        return quoted() + ".entry";
    }

    String meta() {
        return quoted() + ".meta";
    }

    /** Channel on which releases of wanted keys are notified. */
    String channel() {
        return "holdfast_" + name;
    }

    private String quoted() {
        return '"' + name + '"';
    }

    /**
     * Ensures that usable tables exist. Never changes existing tables.
     *
     * @param create whether to create them if they are missing
     * @throws StoreException if they are missing and not created, or only newer code may use them
     */
    UsableTables prepare(Connection connection, boolean create) throws SQLException {
        FoundTables found = find(connection);
        if (found.isMissing() && !create) {
            throw StoreException.rejected(
                    "PostgreSQL: schema " + name + " is missing, and create=false. Have this run first:\n" + ddlFrom(0),
                    null);
        }
        if (found.isMissing()) {
            found = create(connection);
        }
        TableAccess access = found.access(newest());
        if (access == TableAccess.NONE) {
            throw StoreException.rejected(
                    "PostgreSQL: schema " + name + " has version " + found.version() + " (expected: at most " + newest()
                            + ", as only a Holdfast that knows version " + found.minWriter()
                            + " may write it): use a newer Holdfast",
                    null);
        }
        return new UsableTables(this, access, keepsHistory(found.version()));
    }

    /** Whether tables of {@code version} have a column for histories that this code knows. */
    boolean keepsHistory(int version) {
        return Math.min(version, newest()) >= WITH_HISTORY;
    }

    /** Creates the tables, unless another process creates them meanwhile. */
    FoundTables create(Connection connection) throws SQLException {
        return changing(connection, FoundTables::isMissing);
    }

    /**
     * Upgrades existing tables to the newest version, without a time limit.
     *
     * @throws StoreException if there are none, or another program has locked them
     */
    FoundTables upgrade(Connection connection) throws SQLException {
        if (find(connection).isMissing()) {
            throw StoreException.rejected(
                    "PostgreSQL: schema " + name + " has no tables to upgrade; holdfast store init creates them", null);
        }
        return changing(connection, this::isOld);
    }

    /** Returns whether {@link #upgrade} would change anything. */
    boolean isOld(FoundTables found) {
        return !found.isMissing()
                && (found.version() < newest() || (found.version() == newest() && !found.recordsUse()));
    }

    private FoundTables changing(Connection connection, Predicate<FoundTables> needed) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            // The role may have timeouts meant for short statements.
            statement.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;"
                    + " SELECT pg_advisory_xact_lock(" + LOCK + ")");
            FoundTables found = find(connection);
            if (needed.test(found)) {
                statement.execute("SET LOCAL lock_timeout = '" + LOCK_WAIT + "'");
                change(statement, found.version());
                found = find(connection);
            }
            connection.commit();
            return found;
        } finally {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    private void change(Statement statement, int from) throws SQLException {
        // Checked first: CREATE SCHEMA IF NOT EXISTS requires the privilege to create one even if it exists.
        try (ResultSet existing = statement.executeQuery("SELECT 1 FROM pg_namespace WHERE nspname = '" + name + "'")) {
            if (!existing.next()) {
                statement.execute("CREATE SCHEMA " + quoted());
            }
        }
        for (String sql : changes(from)) {
            statement.execute(sql);
        }
    }

    /** Returns the statements that upgrade a version to the newest, in order. */
    private List<String> changes(int from) {
        List<String> changes = new ArrayList<>();
        steps.subList(from, steps.size()).forEach(step -> changes.add(step.sql()));
        SchemaStep last = steps.get(steps.size() - 1);
        changes.add(RECORD_USE);
        changes.add("UPDATE $.meta SET schema_version = " + newest() + ", min_reader = " + last.minReader()
                + ", min_writer = " + last.minWriter());
        changes.replaceAll(sql -> sql.replace("$", quoted()));
        return changes;
    }

    FoundTables find(Connection connection) throws SQLException {
        // Not to_regclass: its cache may not contain tables created while we waited for the lock.
        Set<String> columns = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT a.attname FROM pg_attribute a JOIN pg_class t ON t.oid ="
                                + " a.attrelid JOIN pg_namespace n ON n.oid = t.relnamespace WHERE n.nspname = '" + name
                                + "' AND t.relname = 'meta' AND a.attnum > 0 AND NOT a.attisdropped")) {
            while (rows.next()) {
                columns.add(rows.getString(1));
            }
        }
        if (columns.isEmpty()) {
            return FoundTables.NOTHING;
        }
        boolean recordsUse = columns.containsAll(Set.of("min_reader", "min_writer"));
        String use = recordsUse
                ? "coalesce(min_reader, schema_version), coalesce(min_writer, schema_version)"
                : "schema_version, schema_version";
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT schema_version, " + use + " FROM " + meta())) {
            return rows.next()
                    ? new FoundTables(rows.getInt(1), rows.getInt(2), rows.getInt(3), recordsUse)
                    : FoundTables.NOTHING;
        }
    }

    /** Returns the SQL for a DBA to upgrade from a version, 0 for none, to the newest. */
    String ddlFrom(int version) {
        return "BEGIN;\n"
                + (version == 0 ? "CREATE SCHEMA IF NOT EXISTS " + quoted() + ";\n" : "")
                + changes(version).stream()
                        .map(sql -> sql.endsWith("\n") ? sql : sql + ";\n")
                        .collect(Collectors.joining())
                + "COMMIT;\n"
                + "-- The role that uses the store needs:\n"
                + "-- GRANT USAGE ON SCHEMA " + quoted() + " TO ...;\n"
                + "-- GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + quoted() + " TO ...;\n";
    }
}
