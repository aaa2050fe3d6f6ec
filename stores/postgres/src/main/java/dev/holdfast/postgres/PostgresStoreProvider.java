package dev.holdfast.postgres;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.StoreProvider;
import java.util.Set;

/** {@code postgresql://user:password@host:port/db?schema=...}; see {@link PostgresStore} for all parameters. */
public final class PostgresStoreProvider implements StoreProvider {
    @Override
    public Set<String> schemes() {
        return PostgresUrl.SCHEMES;
    }

    /** All time is the database's, so {@code runtime} is not needed. */
    @Override
    public LeaseStore open(String url, Runtime runtime) {
        return PostgresStore.open(url);
    }
}
