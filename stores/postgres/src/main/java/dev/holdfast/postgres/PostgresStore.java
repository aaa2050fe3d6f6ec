package dev.holdfast.postgres;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.postgres.PostgresSchema.Access;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Entries in PostgreSQL, version 12 or later. All time is the database's: beats are stamped, and their ages told, by its
 * clock.
 *
 * <p>{@code postgresql://user:password@host:port/database?parameters}. What a URL cannot hold is percent-encoded; without
 * a password, the driver looks in {@code .pgpass}. With several hosts, {@code host:port,host:port}, whichever is the
 * primary is used. Parameters:
 *
 * <ul>
 *   <li>{@code postgresSchema}: where the tables are, {@code holdfast} unless said.
 *   <li>{@code create=false}: never create them; {@link PostgresSchema#ddl} is what to have run instead.
 *   <li>{@code step}: how far the database's clock may jump or err, {@code 500ms} unless said. All clients say the same.
 *   <li>{@code timeout}: the longest that a call takes, {@code 5s} unless said.
 *   <li>{@code lanes}, {@code pool}: how many batches, and how many connections, at once.
 *   <li>{@code pooled}: whether a pooler such as PgBouncer hands out its connections anew for each transaction; {@code
 *       auto} unless said, which finds out whether there is a pooler and then assumes that it does. {@code false} is for
 *       poolers that keep a session for each client.
 *   <li>{@code sslmode}, {@code sslrootcert} and their like, {@code ApplicationName}, {@code prepareThreshold}: passed
 *       on to the driver.
 * </ul>
 *
 * <p>Behind a pooler, statements are not prepared, settings go with each transaction, and there is no {@code LISTEN}:
 * such a store is no {@link ChangeNotifier}, so clients that wait for a key look at it again and again.
 *
 * <p>What was acknowledged survives a crash of the server. That it survives a failover needs synchronous replication;
 * {@link PostgresCheck} warns where there is none.
 */
public sealed class PostgresStore implements LeaseStore {
    /** What fits in a few milliseconds of the server's time; beyond some hundred rows a larger batch gains nothing. */
    private static final int BATCH_LIMIT = 512;

    private final PostgresConnections postgresConnections;
    private final boolean writable;
    private final LockedRows writes;
    private final PostgresScans postgresScans;
    private final String readSql;
    private final StoreTraits traits;

    private PostgresStore(PostgresConnections postgresConnections, PostgresSchema postgresSchema, Access access) {
        PostgresUrl url = postgresConnections.url();
        this.postgresConnections = postgresConnections;
        this.writable = access == Access.WRITE;
        this.writes =
                new LockedRows(new BatchStatements(postgresSchema), postgresConnections.settings(), url.timeout());
        this.postgresScans = new PostgresScans(postgresSchema, postgresConnections.settings());
        this.readSql = readSql(postgresSchema);
        this.traits = new StoreTraits(url.lanes(), BATCH_LIMIT, url.step())
                .withLongestCall(PostgresConnections.longestCall(url));
    }

    static String readSql(PostgresSchema postgresSchema) {
        return "SELECT c.i, e.* FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS c (namespace, name, i)"
                + " CROSS JOIN LATERAL (SELECT " + PostgresRows.SELECTED + " FROM " + postgresSchema.entry()
                + " e WHERE "
                + BatchStatements.SAME_KEY + " OFFSET 0) e";
    }

    /**
     * Opens the store; creates its tables if they are missing, unless the URL forbids it. Tables that are there stay as
     * they are.
     *
     * @return a {@link ChangeNotifier}, too, unless a connection pooler is in between
     * @throws IllegalArgumentException if the URL is not understood; the message says what was expected
     * @throws StoreException if the database cannot be reached, or is none that can be used
     */
    public static PostgresStore open(String url) {
        PostgresUrl parsed = PostgresUrl.parse(url);
        PostgresSchema postgresSchema = new PostgresSchema(parsed.schema());
        try {
            return open(parsed, postgresSchema);
        } catch (SQLException e) {
            throw PostgresErrors.connecting(e);
        }
    }

    /** For tests: with a schema of another version. */
    static PostgresStore open(PostgresUrl url, PostgresSchema postgresSchema) throws SQLException {
        PostgresConnections postgresConnections = PostgresConnections.open(url);
        boolean usable = false;
        try {
            Access access = postgresSchema.prepare(postgresConnections.first(), url.create());
            usable = true;
            // Waiting marks rows, which is writing.
            return postgresConnections.isPooled() || access != Access.WRITE
                    ? new PostgresStore(postgresConnections, postgresSchema, access)
                    : new Notifying(postgresConnections, postgresSchema);
        } finally {
            if (!usable) {
                postgresConnections.close();
            }
        }
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public List<WriteOutcome> apply(List<Change> changes) {
        if (changes.isEmpty()) {
            return List.of();
        }
        if (!writable) {
            throw StoreException.rejected(
                    "PostgreSQL: a newer Holdfast made these tables; this one may read them, and not write", null);
        }
        Connection connection = postgresConnections.borrow();
        try (connection) {
            return writes.apply(connection, changes);
        } catch (SQLException e) {
            retireIfReadOnly(connection, e);
            throw PostgresErrors.writing(e);
        }
    }

    /** It was the primary once. The next connection will be to the one that is now. */
    private void retireIfReadOnly(Connection connection, SQLException e) {
        if (PostgresErrors.state(e).equals(PostgresErrors.READ_ONLY)) {
            postgresConnections.evict(connection);
        }
    }

    @Override
    public List<Optional<StoredEntry>> read(List<Key> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        return reading(connection -> read(connection, keys));
    }

    private List<Optional<StoredEntry>> read(Connection connection, List<Key> keys) throws SQLException {
        List<Optional<StoredEntry>> found = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
        SessionSettings settings = postgresConnections.settings();
        try (PreparedStatement statement = settings.prepare(connection, readSql)) {
            new StatementParameters(statement).keys(keys);
            try (ResultSet rows = settings.run(statement)) {
                while (rows.next()) {
                    found.set(rows.getInt(1) - 1, Optional.ofNullable(PostgresRows.read(rows, 2)));
                }
            }
        }
        return List.copyOf(found);
    }

    @Override
    public ScanPage scan(EntryScan entryScan) {
        return reading(connection -> postgresScans.run(connection, entryScan));
    }

    private <T> T reading(Query<T> query) {
        try (Connection connection = postgresConnections.borrow()) {
            return query.run(connection);
        } catch (SQLException e) {
            throw PostgresErrors.reading(e);
        }
    }

    @Override
    public void close() {
        postgresConnections.close();
    }

    /** A store whose connections are sessions, so that they can listen. */
    private static final class Notifying extends PostgresStore implements ChangeNotifier {
        private final ReleaseListener releaseListener;

        Notifying(PostgresConnections postgresConnections, PostgresSchema postgresSchema) {
            super(postgresConnections, postgresSchema, Access.WRITE);
            this.releaseListener = new ReleaseListener(postgresConnections, postgresSchema);
        }

        /** Does not block: a thread of the listener marks the key in the database. */
        @Override
        public Registration onFreed(Key key, Runnable wake) {
            return releaseListener.onFreed(key, wake)::run;
        }

        @Override
        public void close() {
            releaseListener.close();
            super.close();
        }
    }

    private interface Query<T> {
        T run(Connection connection) throws SQLException;
    }
}
