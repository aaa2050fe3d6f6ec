package dev.holdfast.postgres;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.StoreProvider;
import dev.holdfast.spi.StoreSetup;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** {@code postgresql://user:password@host:port/db?schema=...}; see {@link PostgresStore} for all parameters. */
public final class PostgresStoreProvider implements StoreProvider, StoreSetup {
    @Override
    public Set<String> schemes() {
        return PostgresUrl.SCHEMES;
    }

    /** All time is the database's, so {@code runtime} is not needed. */
    @Override
    public LeaseStore open(String url, Runtime runtime) {
        return PostgresStore.open(url);
    }

    @Override
    public List<Finding> check(String url, Supplier<Instant> clock) {
        return PostgresCheck.run(url, clock);
    }

    /** Creates or migrates the tables, even if the URL forbids it to those who only use them. */
    @Override
    public void upgrade(String url, Consumer<String> progress) {
        init(url, progress);
    }

    @Override
    public void init(String url, Consumer<String> progress) {
        PostgresUrl parsed = PostgresUrl.parse(url);
        Schema schema = new Schema(parsed.schema());
        try (Connection connection = Connections.source(parsed).getConnection()) {
            int before = schema.version(connection);
            schema.prepare(connection, true);
            String made = before == 0 ? "created the tables" : "migrated the tables from version " + before;
            progress.accept((before == schema.newest() ? "the tables are there already" : made) + ", version "
                    + schema.newest());
        } catch (SQLException e) {
            throw PostgresErrors.connecting(e);
        }
    }
}
