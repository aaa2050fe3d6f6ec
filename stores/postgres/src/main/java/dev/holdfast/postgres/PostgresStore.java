package dev.holdfast.postgres;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.postgres.PostgresSchema.TableAccess;
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
 * Store of entries in PostgreSQL, version 12 or later. All time is the database's: its clock stamps beats and measures
 * their ages.
 *
 * <p>{@code postgresql://user:password@host:port/database?parameters}. Special characters are percent-encoded. Without
 * a password, the driver looks in {@code .pgpass}. With several hosts, {@code host:port,host:port}, the primary among
 * them is used. Parameters:
 *
 * <ul>
 *   <li>{@code schema}: the schema of the tables, by default {@code holdfast}.
 *   <li>{@code create=false}: never create the tables; have {@link PostgresSchema#ddl} run instead.
 *   <li>{@code step}: how far the database's clock may jump or err, by default {@code 500ms}. It must be the same for
 *       all clients.
 *   <li>{@code history}: how many ended grants of each key are kept, 0 to 50. Tables of version 1 keep none.
 *   <li>{@code timeout}: the longest that a call takes, by default {@code 5s}.
 *   <li>{@code lanes}, {@code pool}: how many batches, and how many connections, at once.
 *   <li>{@code pooled}: whether a pooler such as PgBouncer may assign another connection to each transaction. The
 *       default {@code auto} detects a pooler, and then assumes that it does. {@code false} is for poolers that keep a
 *       session for each client.
 *   <li>{@code sslmode}, {@code sslrootcert} and similar, {@code ApplicationName}, {@code prepareThreshold}: passed to
 *       the driver.
 * </ul>
 *
 * <p>Behind a pooler, statements are not prepared, settings go with each transaction, and there is no {@code LISTEN}.
 * Such a store is not a {@link ChangeNotifier}, so clients that wait for a key poll it.
 *
 * <p>Acknowledged writes survive a crash of the server. To survive a failover they need synchronous replication; {@link
 * PostgresCheck} warns if there is none.
 */
public sealed class PostgresStore implements LeaseStore {
    /**
     * As many rows as take a few milliseconds of the server's time. Beyond some hundred rows a larger batch gains
     * nothing.
     */
    private static final int BATCH_LIMIT = 512;

    private final PostgresConnections connections;
    private final boolean writable;
    private final LockedRows writes;
    private final PostgresScans scans;
    private final String readSql;
    private final StoreTraits traits;

    private PostgresStore(PostgresConnections connections, UsableTables tables) {
        PostgresUrl url = connections.url();
        this.connections = connections;
        this.writable = tables.access() == TableAccess.WRITE;
        this.writes = new LockedRows(new BatchStatements(tables), connections.settings(), url.timeout());
        this.scans = new PostgresScans(tables, connections.settings());
        this.readSql = readSql(tables);
        this.traits = new StoreTraits(url.lanes(), BATCH_LIMIT, url.step())
                .withLongestCall(PostgresConnections.longestCall(url))
                .withHistory(url.history());
    }

    static String readSql(UsableTables tables) {
        return "SELECT c.i, e.* FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS c (namespace, name, i)"
                + " CROSS JOIN LATERAL (SELECT " + tables.selected() + " FROM " + tables.entry()
                + " e WHERE "
                + BatchStatements.SAME_KEY + " OFFSET 0) e";
    }

    /**
     * Opens the store. Creates its tables if they are missing, unless the URL forbids it. Existing tables are not
     * changed.
     *
     * @return a {@link ChangeNotifier}, too, unless a connection pooler is in between
     * @throws IllegalArgumentException if the URL is invalid; the message contains the expected form
     * @throws StoreException if the database cannot be reached or used
     */
    public static PostgresStore open(String url) {
        PostgresUrl parsed = PostgresUrl.parse(url);
        PostgresSchema schema = new PostgresSchema(parsed.schema());
        try {
            return open(parsed, schema);
        } catch (SQLException e) {
            throw PostgresErrors.connecting(e);
        }
    }

    /** For tests: with a schema of another version. */
    static PostgresStore open(PostgresUrl url, PostgresSchema schema) throws SQLException {
        PostgresConnections connections = new PostgresConnections(url);
        boolean usable = false;
        try {
            UsableTables tables = schema.prepare(connections.first(), url.create());
            usable = true;
            // Waiting marks rows, which requires write access.
            return connections.isPooled() || tables.access() != TableAccess.WRITE
                    ? new PostgresStore(connections, tables)
                    : new ListeningStore(connections, tables);
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
    public List<WriteOutcome> apply(List<Change> changes) {
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

    /** Evicts a connection to a former primary. The next connection goes to the current one. */
    private void retireIfReadOnly(Connection connection, SQLException e) {
        if (PostgresErrors.state(e).equals(PostgresErrors.READ_ONLY)) {
            connections.evict(connection);
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
        SessionSettings settings = connections.settings();
        try (PreparedStatement statement = settings.prepare(connection, readSql)) {
            new BinaryArrayCodec.StatementParameters(statement).keys(keys);
            try (ResultSet rows = settings.run(statement)) {
                while (rows.next()) {
                    found.set(rows.getInt(1) - 1, Optional.ofNullable(PostgresRows.read(rows, 2)));
                }
            }
        }
        return List.copyOf(found);
    }

    @Override
    public ScanPage scan(EntryScan scan) {
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

    /** Store with a session for each connection, so that it can listen. */
    private static final class ListeningStore extends PostgresStore implements ChangeNotifier {
        private final ReleaseListener listener;

        ListeningStore(PostgresConnections connections, UsableTables tables) {
            super(connections, tables);
            this.listener = new ReleaseListener(connections, tables.schema());
        }

        /** Does not block: a thread of the listener marks the key in the database. */
        @Override
        public Registration onFreed(Key key, WakeUp wake) {
            return listener.onFreed(key, wake);
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
