package dev.holdfast.postgres;

import dev.holdfast.StoreException;
import dev.holdfast.postgres.PostgresSchema.FoundTables;
import dev.holdfast.store.StoreSetup.Finding;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Check of a database for problems that could break a guarantee: that acknowledged writes are kept, and that ages are
 * correct. It changes and creates nothing.
 */
public final class PostgresCheck {
    /** The newest version that Holdfast is tested with; a later one will probably work. */
    private static final int NEWEST_VERSION = 18;

    /** Beyond this, a clock on either side is probably wrong. No decision of Holdfast depends on it. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(1);

    /** A transaction that is open for longer keeps the server from removing dead rows. */
    private static final Duration LONG_SNAPSHOT = Duration.ofMinutes(5);

    private final Connection connection;
    private final List<Finding> findings = new ArrayList<>();

    private PostgresCheck(Connection connection) {
        this.connection = connection;
    }

    /**
     * Checks the database that {@code url} names.
     *
     * @param clock the wall clock of this machine
     * @throws IllegalArgumentException if the URL is invalid
     * @throws StoreException if the database cannot be reached or queried
     */
    public static List<Finding> run(String url, Supplier<Instant> clock) {
        return run(PostgresUrl.parse(url), clock, LONG_SNAPSHOT);
    }

    /** For tests: with another limit for long transactions. */
    static List<Finding> run(PostgresUrl parsed, Supplier<Instant> clock, Duration longSnapshot) {
        try (Connection connection = PostgresConnections.single(parsed)) {
            PostgresCheck check = new PostgresCheck(connection);
            PostgresServerProbe probe = PostgresServerProbe.of(connection);
            check.version(probe);
            check.pooler(probe, parsed.pooled());
            check.schema(new PostgresSchema(parsed.schema()));
            check.durability();
            check.replication();
            check.snapshots(longSnapshot);
            check.clock(clock, parsed.step());
            return List.copyOf(check.findings);
        } catch (SQLException e) {
            throw PostgresErrors.connecting(e);
        }
    }

    private void version(PostgresServerProbe probe) {
        String is = "PostgreSQL " + probe.version();
        if (probe.majorVersion() < PostgresServerProbe.OLDEST_VERSION) {
            findings.add(
                    Finding.error(is + " is too old: " + PostgresServerProbe.OLDEST_VERSION + " or later is needed"));
        } else if (probe.majorVersion() > NEWEST_VERSION) {
            findings.add(Finding.warning(is + " is newer than the newest tested version: " + NEWEST_VERSION));
        } else {
            findings.add(Finding.ok(is));
        }
    }

    private void pooler(PostgresServerProbe probe, @Nullable Boolean given) {
        boolean pooled = given == null ? probe.behindPooler() : given;
        if (pooled && !probe.isolation().equals("read committed")) {
            findings.add(Finding.error("default_transaction_isolation is " + probe.isolation()
                    + ": behind a connection pooler it must be read committed (ALTER ROLE ... SET)"));
        }
        if (pooled) {
            findings.add(Finding.warning((probe.behindPooler()
                            ? "a connection pooler is in between"
                            : "pooled=true, and no pooler was found")
                    + ": statements are not prepared, settings go with each transaction, and without LISTEN"
                    + " clients that wait for a key poll it, up to once a second; for a pooler that keeps a"
                    + " session for each client, set pooled=false"));
        } else if (probe.behindPooler()) {
            findings.add(Finding.warning(
                    "a connection pooler is in between, and pooled=false: that works only if it keeps a session for each"
                            + " client (PgBouncer: pool_mode = session)"));
        } else {
            findings.add(Finding.ok("connected directly, without a pooler"));
        }
    }

    private void schema(PostgresSchema schema) throws SQLException {
        FoundTables found = schema.find(connection);
        String tables = "tables of version " + found.version();
        if (found.isMissing()) {
            findings.add(Finding.warning("there are no tables yet (" + schema.entry()
                    + "); the first process to open the store creates them"));
            return;
        }
        switch (found.access(schema.newest())) {
            case NONE ->
                findings.add(Finding.error(tables + " are too new for this Holdfast, which knows " + schema.newest()
                        + ": " + found.use()));
            case READ ->
                findings.add(Finding.error(tables + " can be read and not written by this Holdfast, which knows "
                        + schema.newest() + ": " + found.use()));
            case WRITE -> usable(schema, found, tables);
        }
    }

    private void usable(PostgresSchema schema, FoundTables found, String tables) {
        if (schema.isOld(found)) {
            findings.add(Finding.warning(tables + ", which this Holdfast can use; holdfast store upgrade "
                    + (found.version() < schema.newest()
                            ? "brings them to version " + schema.newest()
                                    + (schema.keepsHistory(found.version()) ? "" : ", which adds the histories of keys")
                            : "makes them record which versions may use them")));
        } else if (found.version() > schema.newest()) {
            findings.add(Finding.ok(tables + " of a newer Holdfast, which this one may use: " + found.use()));
        } else {
            findings.add(Finding.ok(tables));
        }
    }

    private void durability() throws SQLException {
        for (String setting : List.of("fsync", "full_page_writes")) {
            if (setting(setting).equals("off")) {
                findings.add(Finding.warning(
                        setting + " is off: a crash of the server's machine may lose or corrupt leases"));
            } else {
                findings.add(Finding.ok(setting + " is on"));
            }
        }
        switch (setting("synchronous_commit")) {
            case "off" ->
                findings.add(Finding.warning(
                        "synchronous_commit is off: Holdfast turns it on for its own connections, not for other"
                                + " writes to this database"));
            case "local" ->
                findings.add(Finding.warning(
                        "synchronous_commit is local: a failover may lose leases that were acknowledged"));
            default -> findings.add(Finding.ok("synchronous_commit is " + setting("synchronous_commit")));
        }
    }

    private void replication() throws SQLException {
        long standbys = Long.parseLong(text("SELECT count(*) FROM pg_stat_replication"));
        boolean synchronous = !setting("synchronous_standby_names").isEmpty();
        if (standbys > 0 && !synchronous) {
            findings.add(Finding.warning(
                    "replication to " + standbys + " standby server(s) is asynchronous (synchronous_standby_names is"
                            + " empty): a failover may lose leases that were acknowledged"));
        } else {
            findings.add(Finding.ok(synchronous ? "replication is synchronous" : "no standby"));
        }
    }

    /**
     * Finds transactions that are open for long, including other programs in this database. Such a transaction keeps
     * every row version created after it began.
     */
    private void snapshots(Duration longSnapshot) throws SQLException {
        String oldest = text("SELECT o.what || ' is open for ' || o.seconds || ' s' FROM ("
                + "SELECT 'process ' || pid || coalesce(' (' || nullif(application_name, '') || ')', '') AS what,"
                + " extract(epoch FROM clock_timestamp() - xact_start)::bigint AS seconds FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                + " AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND xact_start IS NOT NULL"
                + " UNION ALL SELECT 'prepared transaction ' || gid, extract(epoch FROM clock_timestamp() - prepared)::bigint"
                + " FROM pg_prepared_xacts WHERE database = current_database()) o"
                + " WHERE o.seconds >= " + longSnapshot.toSeconds() + " ORDER BY o.seconds DESC LIMIT 1");
        boolean seesAll =
                text("SELECT pg_has_role('pg_read_all_stats', 'usage')").equals("t");
        if (!oldest.isEmpty()) {
            findings.add(Finding.warning("a transaction of " + oldest
                    + ": until it ends, no dead row can be removed. Each grant and each renewal"
                    + " leaves one, so the table and its indexes grow and every request gets slower. End it, and"
                    + " set idle_in_transaction_session_timeout for the role that left it open"));
        } else {
            findings.add(Finding.ok("no transaction is open for long"
                    + (seesAll ? "" : ", as far as this role can see (GRANT pg_read_all_stats shows it all)")));
        }
    }

    private void clock(Supplier<Instant> clock, Duration step) throws SQLException {
        Instant before = clock.get();
        Instant theirs;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT clock_timestamp()")) {
            rows.next();
            theirs = rows.getObject(1, OffsetDateTime.class).toInstant();
        }
        Instant after = clock.get();
        Duration apart = theirs.isBefore(before)
                ? Duration.between(theirs, before)
                : theirs.isAfter(after) ? Duration.between(after, theirs) : Duration.ZERO;
        if (apart.compareTo(CLOCKS_APART) > 0) {
            findings.add(Finding.warning("the database's clock and ours differ by " + apart.toMillis()
                    + " ms: leases are not affected, but if the"
                    + " database's is the wrong one, it may be set by more than the step of " + step.toMillis()
                    + " ms that Holdfast allows for"));
        } else {
            findings.add(Finding.ok("the database's clock and ours differ by " + apart.toMillis() + " ms"));
        }
    }

    /** Returns the value for sessions that do not set it themselves. */
    private String setting(String name) throws SQLException {
        return text("SELECT reset_val FROM pg_settings WHERE name = '" + name + "'");
    }

    private String text(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() && rows.getString(1) != null ? rows.getString(1) : "";
        }
    }
}
