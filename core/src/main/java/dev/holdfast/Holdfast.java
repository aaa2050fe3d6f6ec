package dev.holdfast;

import dev.holdfast.internal.Check;
import dev.holdfast.internal.client.LocalLeases;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreProvider;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The front door. */
public final class Holdfast {
    private Holdfast() {}

    /**
     * Opens a client on the store that {@code url} names, such as {@code memory:}. Stores are found on the class path by
     * the scheme of the URL.
     *
     * @throws IllegalArgumentException if no store has that scheme, or the store does not understand the URL
     * @throws StoreException if the store cannot be reached
     */
    public static Leases open(String url) {
        return open(url, LeasesOptions.defaults());
    }

    /** @see #open(String) */
    public static Leases open(String url, LeasesOptions options) {
        return open(provider(url), url, options);
    }

    /** Opens a client on a store of {@code provider}: for those who know which it is and need not look for it. */
    public static Leases open(StoreProvider provider, String url, LeasesOptions options) {
        return LocalLeases.open(runtime -> provider.open(url, runtime), options);
    }

    /** Opens a client on a store that was opened before; it is closed with the client. */
    public static Leases open(LeaseStore store, LeasesOptions options) {
        return LocalLeases.open(runtime -> store, options);
    }

    /**
     * The provider on the class path for the scheme of {@code url}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static StoreProvider provider(String url) {
        TreeMap<String, StoreProvider> known = new TreeMap<>();
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class, Holdfast.class.getClassLoader())) {
            provider.schemes().forEach(scheme -> known.put(scheme, provider));
        }
        int colon = url.indexOf(':');
        String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
        StoreProvider provider = known.get(scheme);
        if (provider == null) {
            // Only the scheme is shown: what follows it may hold a password.
            throw Check.bad(
                    "store",
                    colon < 0 ? url : scheme + ":...",
                    "a URL with one of the schemes on the class path: " + String.join(", ", known.keySet())
                            + "; other stores come with an artifact of their own, dev.holdfast:holdfast-"
                            + (scheme.isEmpty() ? "STORE" : scheme));
        }
        return provider;
    }
}
