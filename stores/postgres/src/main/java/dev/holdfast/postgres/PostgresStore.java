package dev.holdfast.postgres;

import dev.holdfast.model.Key;
import dev.holdfast.postgres.Schema.Access;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.ChangeNotifier;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.Stored;
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
 *   <li>{@code schema}: where the tables are, {@code holdfast} unless said.
 *   <li>{@code create=false}: never create them; {@link Schema#ddl} is what to have run instead.
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

    private final Connections connections;
    private final boolean writable;
    private final LockedRows writes;
    private final Scans scans;
    private final String readSql;
    private final StoreTraits traits;

    private PostgresStore(Connections connections, Schema schema, Access access) {
        PostgresUrl url = connections.url();
        this.connections = connections;
        this.writable = access == Access.WRITE;
        this.writes = new LockedRows(new BatchSql(schema), connections.settings(), url.timeout());
        this.scans = new Scans(schema, connections.settings());
        this.readSql = readSql(schema);
        this.traits =
                new StoreTraits(url.lanes(), BATCH_LIMIT, url.step()).withLongestCall(Connections.longestCall(url));
    }

    static String readSql(Schema schema) {
        return "SELECT c.i, e.* FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS c (namespace, name, i)"
                + " CROSS JOIN LATERAL (SELECT " + Rows.SELECTED + " FROM " + schema.entry() + " e WHERE "
                + BatchSql.SAME_KEY + " OFFSET 0) e";
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
        Schema schema = new Schema(parsed.schema());
        try {
            return open(parsed, schema);
        } catch (SQLException e) {
            throw PostgresErrors.connecting(e);
        }
    }

    /** For tests: with a schema of another version. */
    static PostgresStore open(PostgresUrl url, Schema schema) throws SQLException {
        Connections connections = Connections.open(url);
        boolean usable = false;
        try {
            Access access = schema.prepare(connections.first(), url.create());
            usable = true;
            // Waiting marks rows, which is writing.
            return connections.isPooled() || access != Access.WRITE
                    ? new PostgresStore(connections, schema, access)
                    : new Notifying(connections, schema);
        } finally {
            if (!usable) {
                connections.close();
            }
        }
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public List<Outcome> apply(List<Change> changes) {
        if (changes.isEmpty()) {
            return List.of();
        }
        if (!writable) {
            throw StoreException.rejected(
                    "PostgreSQL: a newer Holdfast made these tables; this one may read them, and not write", null);
        }
        Connection connection = connections.borrow();
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
            connections.evict(connection);
        }
    }

    @Override
    public List<Optional<Stored>> read(List<Key> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        return reading(connection -> read(connection, keys));
    }

    private List<Optional<Stored>> read(Connection connection, List<Key> keys) throws SQLException {
        List<Optional<Stored>> found = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
        SessionSettings settings = connections.settings();
        try (PreparedStatement statement = settings.prepare(connection, readSql)) {
            new Params(statement).keys(keys);
            try (ResultSet rows = settings.run(statement)) {
                while (rows.next()) {
                    found.set(rows.getInt(1) - 1, Optional.ofNullable(Rows.read(rows, 2)));
                }
            }
        }
        return List.copyOf(found);
    }

    @Override
    public Page scan(Scan scan) {
        return reading(connection -> scans.run(connection, scan));
    }

    private <T> T reading(Query<T> query) {
        try (Connection connection = connections.borrow()) {
            return query.run(connection);
        } catch (SQLException e) {
            throw PostgresErrors.reading(e);
        }
    }

    @Override
    public void close() {
        connections.close();
    }

    /** A store whose connections are sessions, so that they can listen. */
    private static final class Notifying extends PostgresStore implements ChangeNotifier {
        private final Listener listener;

        Notifying(Connections connections, Schema schema) {
            super(connections, schema, Access.WRITE);
            this.listener = new Listener(connections, schema);
        }

        /** Does not block: a thread of the listener marks the key in the database. */
        @Override
        public Registration onFreed(Key key, Runnable wake) {
            return listener.onFreed(key, wake)::run;
        }

        @Override
        public void close() {
            listener.close();
            super.close();
        }
    }

    private interface Query<T> {
        T run(Connection connection) throws SQLException;
    }
}
