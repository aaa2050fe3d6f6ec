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
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Opens stores, and clients of servers. Those that come with the command are named here, as a search of the class path takes longer. */
public final class StoreOpener {
    private static final Duration IMPORT_TIMEOUT = Duration.ofMinutes(2);

    private StoreOpener() {}

    /** @param background whether to hold leases: renewed, and lost aloud */
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
     * For an import, which has many requests under way at once: where the store is slow, or throttled, the last of them wait
     * for long.
     */
    public static Leases openToImport(String url, String self) {
        LeasesOptions options = LeasesOptions.builder()
                .holder(self)
                .operationTimeout(IMPORT_TIMEOUT)
                .withoutCleanUp()
                .build();
        return Holdfast.open(provider(url), url, options);
    }

    /** Whether the URL names servers, which have a store of their own. */
    public static boolean isServer(String url) {
        String scheme = scheme(url);
        return scheme.equals("http") || scheme.equals("https");
    }

    /** See {@link DynamoStoreProvider#workersExpireAfter}; empty for stores of all other kinds. */
    public static Optional<Duration> workersExpireAfter(String url) {
        return scheme(url).equals("dynamodb") ? DynamoStoreProvider.workersExpireAfter(url) : Optional.empty();
    }

    private static String scheme(String url) {
        int colon = url.indexOf(':');
        return colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
    }

    /** To look at a store, or prepare it. */
    public static StoreProvider provider(String url) {
        return provider(url, true);
    }

    /** @throws IllegalArgumentException if nothing knows the scheme */
    private static StoreProvider provider(String url, boolean longLived) {
        return switch (scheme(url)) {
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
