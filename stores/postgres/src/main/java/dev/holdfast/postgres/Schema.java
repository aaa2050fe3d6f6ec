package dev.holdfast.postgres;

import dev.holdfast.spi.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The tables, and the way from each version of them to the next.
 *
 * <p>Steps only ever get added at the end. They run under a lock that all who open a store in this database take, in
 * one transaction: two who come at once do it once, and one that fails leaves nothing behind.
 */
public final class Schema {
    /** {@code $} stands for the name of the schema. */
    private static final List<String> STEPS = List.of("""
            CREATE TABLE $.meta (
              id boolean PRIMARY KEY DEFAULT true CHECK (id),
              schema_version integer NOT NULL,
              fence_floor bigint NOT NULL
            );
            INSERT INTO $.meta (schema_version, fence_floor) VALUES (1, 0);

            -- COLLATE "C" is the order of the UTF-8 bytes, which is the order of keys everywhere in Holdfast.
            -- A renewal changes version, beat, stamp and term: none of them is indexed, so it touches no index (HOT).
            -- wanted: until then somebody waits, and is to be notified when the key is freed.
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
              -- Room for a second version of every row on its own page: all leases may be renewed in one go, again and
              -- again, and the table stays as it is.
              fillfactor = 50,
              -- Leases that come and go leave dead index entries; small helpings, often, keep the indexes small.
              autovacuum_vacuum_scale_factor = 0.05,
              autovacuum_analyze_scale_factor = 0.05
            );
            -- COLLATE "POSIX" is the same order by another name. It keeps the planner from looking up a key in this one:
            -- on an empty table all indexes seem equally good to it, and the plan is kept while the table fills.
            -- There is none by holder: it would cost every grant more than those few who ask by holder gain.
            CREATE INDEX entry_by_state ON $.entry (state, namespace COLLATE "POSIX", name COLLATE "POSIX");
            CREATE INDEX entry_by_token ON $.entry (token);
            """);

    /** "holdfast", as a number: whoever else locks by number in this database should choose another. */
    private static final long LOCK = 0x686f6c6466617374L;

    private final String name;
    private final List<String> steps;

    Schema(String name) {
        this(name, STEPS);
    }

    /** For tests: with other steps than the real ones. */
    Schema(String name, List<String> steps) {
        this.name = name;
        this.steps = steps;
    }

    /** What a DBA runs where Holdfast may not: creates schema {@code name} and everything in it. */
    public static String ddl(String name) {
        return new Schema(name).ddlFrom(0);
    }

    /** The version that this code writes and reads. */
    int newest() {
        return steps.size();
    }

    String entry() {
        return quoted() + ".entry";
    }

    String meta() {
        return quoted() + ".meta";
    }

    /** Where the releases of wanted keys are told. */
    String channel() {
        return "holdfast_" + name;
    }

    private String quoted() {
        return '"' + name + '"';
    }

    /**
     * Makes sure that the tables are there and of this version.
     *
     * @param create whether to create or migrate them if not
     */
    void prepare(Connection connection, boolean create) throws SQLException {
        if (isCurrent(version(connection))) {
            return;
        }
        if (!create) {
            throw StoreException.rejected(
                    "PostgreSQL: schema " + name + " is missing or old, and create=false. Have this run first:\n"
                            + ddlFrom(version(connection)),
                    null);
        }
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
            int version = version(connection);
            if (!isCurrent(version)) {
                migrate(connection, statement, version);
            }
            connection.commit();
        } finally {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    private void migrate(Connection connection, Statement statement, int version) throws SQLException {
        // Asked first: CREATE SCHEMA IF NOT EXISTS needs the right to create one even if it is there.
        if (!exists(connection, "SELECT 1 FROM pg_namespace WHERE nspname = '" + name + "'")) {
            statement.execute("CREATE SCHEMA " + quoted());
        }
        for (String step : steps.subList(version, steps.size())) {
            statement.execute(step.replace("$", quoted()));
        }
        statement.execute("UPDATE " + meta() + " SET schema_version = " + newest());
    }

    /** 0 if there is nothing yet. */
    int version(Connection connection) throws SQLException {
        // Not to_regclass: it answers from a cache that does not know yet what was created while we waited for the
        // lock.
        if (!exists(
                connection,
                "SELECT 1 FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace WHERE n.nspname = '" + name
                        + "' AND t.relname = 'meta'")) {
            return 0;
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT schema_version FROM " + meta())) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    private boolean isCurrent(int version) {
        if (version > newest()) {
            throw StoreException.rejected(
                    "PostgreSQL: schema " + name + " has version " + version + " (expected: at most " + newest()
                            + "); a newer Holdfast made it, and this one cannot use it",
                    null);
        }
        return version == newest();
    }

    private static boolean exists(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next();
        }
    }

    private String ddlFrom(int version) {
        return "BEGIN;\n"
                + (version == 0 ? "CREATE SCHEMA IF NOT EXISTS " + quoted() + ";\n" : "")
                + steps.stream()
                        .skip(version)
                        .map(step -> step.replace("$", quoted()))
                        .collect(Collectors.joining("\n"))
                + "UPDATE " + meta() + " SET schema_version = " + newest() + ";\n"
                + "COMMIT;\n"
                + "-- Whoever uses the store needs:\n"
                + "-- GRANT USAGE ON SCHEMA " + quoted() + " TO ...;\n"
                + "-- GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + quoted() + " TO ...;\n";
    }
}
