package dev.holdfast.cli.store;

import dev.holdfast.Holdfast;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.postgres.PostgresStoreProvider;
import dev.holdfast.spi.StoreProvider;
import dev.holdfast.sqlite.SqliteStoreProvider;
import java.util.Locale;

/** Opens stores. Those that come with the command are named here, as a search of the class path takes longer. */
public final class Stores {
    private Stores() {}

    /** @param background whether to hold leases: renewed, and lost aloud */
    public static Leases open(String url, String self, boolean background, LeaseListener listener) {
        LeasesOptions.Builder options = LeasesOptions.builder().holder(self).listener(listener);
        if (!background) {
            options.withoutThreads();
        }
        return Holdfast.open(provider(url), url, options.build());
    }

    /** @throws IllegalArgumentException if nothing knows the scheme */
    public static StoreProvider provider(String url) {
        int colon = url.indexOf(':');
        String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
        return switch (scheme) {
            case "sqlite" -> {
                NativeSqlite.locate();
                yield new SqliteStoreProvider();
            }
            case "postgresql", "postgres" -> new PostgresStoreProvider();
            default -> Holdfast.provider(url);
        };
    }
}
