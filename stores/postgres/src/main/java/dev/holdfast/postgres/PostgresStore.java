package dev.holdfast.postgres;

import dev.holdfast.model.Key;
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
import java.sql.Statement;
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
 *   <li>{@code create=false}: never create or migrate them; {@link Schema#ddl} is what to have run instead.
 *   <li>{@code step}: how far the database's clock may jump or err, {@code 500ms} unless said. All clients say the same.
 *   <li>{@code timeout}: the longest that a call takes, {@code 5s} unless said.
 *   <li>{@code lanes}, {@code pool}: how many batches, and how many connections, at once.
 *   <li>{@code sslmode}, {@code sslrootcert} and their like, {@code ApplicationName}, {@code prepareThreshold}: passed
 *       on to the driver.
 * </ul>
 *
 * <p>Behind PgBouncer in transaction mode everything works but notification (there is no {@code LISTEN}: those who wait
 * look again by themselves). Give Holdfast a role of its own there, as its settings of a session then stay with
 * connections that others of the same role share.
 *
 * <p>What was acknowledged survives a crash of the server. That it survives a failover needs synchronous replication;
 * {@link PostgresCheck} warns where there is none.
 */
public final class PostgresStore implements LeaseStore, ChangeNotifier {
    /** What fits in a few milliseconds of the server's time; beyond some hundred rows a larger batch gains nothing. */
    private static final int BATCH_LIMIT = 512;

    /** The first that can be told to materialise a part of a statement. */
    static final int OLDEST_VERSION = 12;

    private final Connections connections;
    private final BatchSql batchSql;
    private final Scans scans;
    private final Listener listener;
    private final String readSql;
    private final StoreTraits traits;

    private PostgresStore(Connections connections, Schema schema) {
        PostgresUrl url = connections.url();
        this.connections = connections;
        this.batchSql = new BatchSql(schema);
        this.scans = new Scans(schema);
        this.listener = new Listener(connections, schema);
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
     * Opens the store; creates or migrates its tables if they are missing or old, unless the URL forbids it.
     *
     * @throws IllegalArgumentException if the URL is not understood; the message says what was expected
     * @throws StoreException if the database cannot be reached, or is none that can be used
     */
    public static PostgresStore open(String url) {
        PostgresUrl parsed = PostgresUrl.parse(url);
        Schema schema = new Schema(parsed.schema());
        Connections connections = new Connections(parsed);
        boolean usable = false;
        try (Connection connection = connections.open()) {
            checkServer(connection);
            schema.prepare(connection, parsed.create());
            usable = true;
        } catch (SQLException e) {
            throw PostgresErrors.connecting(e);
        } finally {
            if (!usable) {
                connections.close();
            }
        }
        return new PostgresStore(connections, schema);
    }

    private static void checkServer(Connection connection) throws SQLException {
        if (connection.getMetaData().getDatabaseMajorVersion() < OLDEST_VERSION) {
            throw StoreException.rejected(
                    "PostgreSQL: version " + connection.getMetaData().getDatabaseProductVersion() + " (expected: "
                            + OLDEST_VERSION + " or later)",
                    null);
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW server_encoding")) {
            rows.next();
            if (!rows.getString(1).equals("UTF8")) {
                throw StoreException.rejected(
                        "PostgreSQL: encoding of the database: " + rows.getString(1) + " (expected: UTF8)", null);
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
        Connection connection = connections.borrow();
        try (connection) {
            return new Batch(changes).run(connection, batchSql);
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
        try (PreparedStatement statement = connection.prepareStatement(readSql)) {
            new Params(statement).keys(keys);
            try (ResultSet rows = statement.executeQuery()) {
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

    /** Blocks nobody: what there is to tell the database is told by a thread that starts now, if it does not run yet. */
    @Override
    public Registration onFreed(Key key, Runnable wake) {
        return listener.onFreed(key, wake)::run;
    }

    @Override
    public void close() {
        listener.close();
        connections.close();
    }

    private interface Query<T> {
        T run(Connection connection) throws SQLException;
    }
}
