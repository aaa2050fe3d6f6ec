package dev.holdfast.postgres;

import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreSetup.Finding;
import dev.holdfast.spi.StoreSetup.Level;
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

/**
 * Looks at a database for what could break a promise that Holdfast makes: that what was acknowledged is kept, and that
 * ages are told right. Changes nothing, creates nothing.
 */
public final class PostgresCheck {
    /** Versions that Holdfast was made for; a later one will probably do. */
    private static final int NEWEST_VERSION = 18;

    /** Beyond this, a clock here or there is probably wrong. Nothing that Holdfast decides depends on it. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(1);

    private final Connection connection;
    private final List<Finding> findings = new ArrayList<>();

    private PostgresCheck(Connection connection) {
        this.connection = connection;
    }

    /**
     * Looks at the database that {@code url} names.
     *
     * @param clock the wall clock of this machine
     * @throws IllegalArgumentException if the URL is not understood
     * @throws StoreException if the database cannot be reached or asked
     */
    public static List<Finding> run(String url, Supplier<Instant> clock) {
        PostgresUrl parsed = PostgresUrl.parse(url);
        try (Connection connection = Connections.source(parsed).getConnection()) {
            PostgresCheck check = new PostgresCheck(connection);
            check.version();
            check.schema(new Schema(parsed.schema()));
            check.durability();
            check.replication();
            check.clock(clock, parsed.step());
            return List.copyOf(check.findings);
        } catch (SQLException e) {
            throw PostgresErrors.connecting(e);
        }
    }

    private void version() throws SQLException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        String is = "PostgreSQL " + connection.getMetaData().getDatabaseProductVersion();
        if (version < PostgresStore.OLDEST_VERSION) {
            add(Level.ERROR, is + " is too old: " + PostgresStore.OLDEST_VERSION + " or later is needed");
        } else if (version > NEWEST_VERSION) {
            add(Level.WARNING, is + " is newer than what Holdfast was tested with: " + NEWEST_VERSION);
        } else {
            add(Level.OK, is);
        }
    }

    private void schema(Schema schema) throws SQLException {
        int version = schema.version(connection);
        if (version == 0) {
            add(
                    Level.WARNING,
                    "there are no tables yet (" + schema.entry() + "); the first to open the store creates them");
        } else if (version > schema.newest()) {
            add(
                    Level.ERROR,
                    "the tables have version " + version + ", this Holdfast knows " + schema.newest()
                            + ": it is too old for them");
        } else if (version < schema.newest()) {
            add(
                    Level.WARNING,
                    "the tables have version " + version + "; the next to open the store migrates them to "
                            + schema.newest());
        } else {
            add(Level.OK, "tables of version " + version);
        }
    }

    private void durability() throws SQLException {
        for (String setting : List.of("fsync", "full_page_writes")) {
            if (setting(setting).equals("off")) {
                add(Level.WARNING, setting + " is off: a crash of the server's machine may lose or corrupt leases");
            } else {
                add(Level.OK, setting + " is on");
            }
        }
        switch (setting("synchronous_commit")) {
            case "off" ->
                add(
                        Level.WARNING,
                        "synchronous_commit is off: Holdfast turns it on for its own connections, not for what else"
                                + " is written here");
            case "local" ->
                add(Level.WARNING, "synchronous_commit is local: a failover may lose leases that were acknowledged");
            default -> add(Level.OK, "synchronous_commit is " + setting("synchronous_commit"));
        }
    }

    private void replication() throws SQLException {
        long standbys = Long.parseLong(text("SELECT count(*) FROM pg_stat_replication"));
        boolean synchronous = !setting("synchronous_standby_names").isEmpty();
        if (standbys > 0 && !synchronous) {
            add(
                    Level.WARNING,
                    "replication to " + standbys + " standby server(s) is asynchronous (synchronous_standby_names is"
                            + " empty): a failover may lose leases that were acknowledged");
        } else {
            add(Level.OK, synchronous ? "replication is synchronous" : "no standby");
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
            add(
                    Level.WARNING,
                    "the database's clock and ours differ by " + apart.toMillis()
                            + " ms: leases do not mind, but if the"
                            + " database's is the wrong one, it may be set by more than the step of " + step.toMillis()
                            + " ms that Holdfast allows for");
        } else {
            add(Level.OK, "the database's clock and ours differ by " + apart.toMillis() + " ms");
        }
    }

    /** As it is for sessions that set nothing themselves. */
    private String setting(String name) throws SQLException {
        return text("SELECT reset_val FROM pg_settings WHERE name = '" + name + "'");
    }

    private String text(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() && rows.getString(1) != null ? rows.getString(1) : "";
        }
    }

    private void add(Level level, String what) {
        findings.add(new Finding(level, what));
    }
}
