package dev.holdfast.postgres;

import dev.holdfast.StoreException;
import dev.holdfast.postgres.PostgresSchema.FoundTables;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoreProvider;
import dev.holdfast.store.StoreSetup;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Provider for {@code postgresql://user:password@host:port/db?schema=...}; see {@link PostgresStore} for all
 * parameters.
 */
public final class PostgresStoreProvider implements StoreProvider, StoreSetup {
    @Override
    public Set<String> schemes() {
        return PostgresUrl.SCHEMES;
    }

    /** All time is the database's, so {@code environment} is not used. */
    @Override
    public LeaseStore open(String url, HostEnvironment environment) {
        return PostgresStore.open(url);
    }

    @Override
    public List<Finding> check(String url, Supplier<Instant> clock) {
        return PostgresCheck.run(url, clock);
    }

    @Override
    public boolean exists(String url) {
        PostgresUrl parsed = PostgresUrl.parse(url);
        try (Connection connection = PostgresConnections.single(parsed)) {
            return !new PostgresSchema(parsed.schema()).find(connection).isMissing();
        } catch (SQLException e) {
            throw PostgresErrors.connecting(e);
        }
    }

    /** Creates the tables, even if the URL forbids creating them on open. */
    @Override
    public void init(String url, Consumer<String> progress) {
        PostgresUrl parsed = PostgresUrl.parse(url);
        PostgresSchema schema = new PostgresSchema(parsed.schema());
        setUp(parsed, schema, (connection, before) -> {
            FoundTables found = before.isMissing() ? schema.create(connection) : before;
            progress.accept((before.isMissing() ? "created the tables" : "the tables are there already") + ", version "
                    + found.version()
                    + (schema.isOld(found) ? ", which is old; holdfast store upgrade brings them up to date" : ""));
        });
    }

    @Override
    public void upgrade(String url, Consumer<String> progress) {
        PostgresUrl parsed = PostgresUrl.parse(url);
        upgrade(parsed, new PostgresSchema(parsed.schema()), progress);
    }

    /** For tests: with a schema of another version. */
    static void upgrade(PostgresUrl url, PostgresSchema schema, Consumer<String> progress) {
        setUp(url, schema, (connection, before) -> {
            boolean old = schema.isOld(before);
            if (old) {
                progress.accept(
                        before.version() < schema.newest()
                                ? "upgrading the tables from version " + before.version() + " to " + schema.newest()
                                        + "; this may take long"
                                : "upgrading the tables, to record which versions may use them");
            }
            FoundTables found = schema.upgrade(connection);
            progress.accept((old ? "upgraded the tables" : "the tables need no upgrade") + ", version "
                    + found.version() + "; " + found.use());
        });
    }

    private static void setUp(PostgresUrl url, PostgresSchema schema, SetUp work) {
        @Nullable FoundTables before = null;
        try (Connection connection = PostgresConnections.withoutTimeout(url)) {
            before = schema.find(connection);
            work.run(connection, before);
        } catch (SQLException e) {
            StoreException failure = PostgresErrors.connecting(e);
            throw before == null || !PostgresErrors.isForbidden(e)
                    ? failure
                    : StoreException.rejected(
                            failure.getMessage() + ". Have this run instead:\n" + schema.ddlFrom(before.version()), e);
        }
    }

    private interface SetUp {
        void run(Connection connection, FoundTables before) throws SQLException;
    }
}
