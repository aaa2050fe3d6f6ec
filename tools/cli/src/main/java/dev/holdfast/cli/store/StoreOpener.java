package dev.holdfast.cli.store;

import dev.holdfast.Holdfast;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.client.RemoteLeasesProvider;
import dev.holdfast.dynamodb.DynamoStoreProvider;
import dev.holdfast.postgres.PostgresStoreProvider;
import dev.holdfast.sqlite.SqliteStoreProvider;
import dev.holdfast.store.StoreProvider;
import dev.holdfast.support.StoreUrl;
import java.time.Duration;
import java.util.Optional;

/**
 * Factory of stores and of clients of servers. Built-in stores are listed here, because a class path search is slower.
 */
public final class StoreOpener {
    private static final Duration IMPORT_TIMEOUT = Duration.ofMinutes(2);

    private StoreOpener() {}

    /** @param background whether to start the threads that renew leases and report lost ones */
    public static Leases open(String url, String self, boolean background, LeaseListener listener) {
        LeasesOptions.Builder options = LeasesOptions.builder().holder(self).listener(listener);
        if (!background) {
            options.withoutThreads();
        }
        return isServer(url)
                ? new RemoteLeasesProvider().open(url, options.build())
                : Holdfast.open(provider(url, background), url, options.build());
    }

    /**
     * Opens a store for an import, with a longer timeout. An import has many concurrent requests, and the last of them
     * wait long if the store is slow or throttled.
     */
    public static Leases openToImport(String url, String self) {
        LeasesOptions options = LeasesOptions.builder()
                .holder(self)
                .operationTimeout(IMPORT_TIMEOUT)
                .withoutCleanUp()
                .build();
        return Holdfast.open(provider(url), url, options);
    }

    /** Whether the URL names servers instead of a store. */
    public static boolean isServer(String url) {
        String scheme = StoreUrl.parse(url).scheme();
        return scheme.equals("http") || scheme.equals("https");
    }

    /** See {@link DynamoStoreProvider#workersExpireAfter}; empty for all other stores. */
    public static Optional<Duration> workersExpireAfter(String url) {
        return StoreUrl.parse(url).scheme().equals("dynamodb")
                ? DynamoStoreProvider.workersExpireAfter(url)
                : Optional.empty();
    }

    /** The provider of a store, to check or prepare it. */
    public static StoreProvider provider(String url) {
        return provider(url, true);
    }

    /** @throws IllegalArgumentException if no provider supports the scheme */
    private static StoreProvider provider(String url, boolean longLived) {
        return switch (StoreUrl.parse(url).scheme()) {
            case "sqlite" -> {
                NativeSqliteLibrary.locate();
                yield new SqliteStoreProvider();
            }
            case "postgresql", "postgres" -> new PostgresStoreProvider();
            case "dynamodb" -> longLived ? new DynamoStoreProvider() : DynamoStoreProvider.forShortLived();
            default -> Holdfast.provider(url);
        };
    }
}
