package dev.holdfast;

import dev.holdfast.embedded.LocalLeases;
import dev.holdfast.service.LeasesProvider;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoreProvider;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.StoreUrl;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** The entry point: opens clients. */
public final class Holdfast {
    private Holdfast() {}

    /**
     * Opens a client on the store or the servers that {@code url} names, such as {@code memory:}. The store or client is found on the class path by the scheme of the URL.
     *
     * @throws IllegalArgumentException if no store or client has that scheme, or it rejects the URL
     * @throws StoreException if the store cannot be reached
     */
    public static Leases open(String url) {
        return open(url, LeasesOptions.defaults());
    }

    /** @see #open(String) */
    public static Leases open(String url, LeasesOptions options) {
        LeasesProvider elsewhere = byScheme(LeasesProvider.class, LeasesProvider::schemes)
                .get(StoreUrl.parse(url).scheme());
        return elsewhere == null ? open(provider(url), url, options) : elsewhere.open(url, options);
    }

    /** Opens a client on a store of {@code provider}, without a search of the class path. */
    public static Leases open(StoreProvider provider, String url, LeasesOptions options) {
        return LocalLeases.open(hostEnvironment -> provider.open(url, hostEnvironment), options);
    }

    /** Opens a client on a store that was opened before; it is closed with the client. */
    public static Leases open(LeaseStore store, LeasesOptions options) {
        return LocalLeases.open(hostEnvironment -> store, options);
    }

    /**
     * The provider on the class path for the scheme of {@code url}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static StoreProvider provider(String url) {
        Map<String, StoreProvider> known = byScheme(StoreProvider.class, StoreProvider::schemes);
        String scheme = StoreUrl.parse(url).scheme();
        StoreProvider provider = known.get(scheme);
        if (provider == null) {
            // Only the scheme is shown: the rest may contain a password.
            throw ArgumentCheck.bad(
                    "store",
                    scheme.isEmpty() ? url : scheme + ":...",
                    "a URL with one of the schemes on the class path: " + String.join(", ", schemes(known.keySet()))
                            + "; other stores come with an artifact of their own, dev.holdfast:holdfast-"
                            + (scheme.isEmpty() ? "STORE" : scheme));
        }
        return provider;
    }

    private static Set<String> schemes(Set<String> ofStores) {
        Set<String> all = new TreeSet<>(ofStores);
        all.addAll(byScheme(LeasesProvider.class, LeasesProvider::schemes).keySet());
        return all;
    }

    private static <P> Map<String, P> byScheme(Class<P> type, Function<P, Set<String>> schemes) {
        Map<String, P> known = new TreeMap<>();
        for (P provider : ServiceLoader.load(type, Holdfast.class.getClassLoader())) {
            schemes.apply(provider).forEach(scheme -> known.put(scheme, provider));
        }
        return known;
    }
}
