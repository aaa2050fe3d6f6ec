package dev.holdfast;

import java.util.Set;

/**
 * Opens clients of some URL schemes whose requests are decided elsewhere, such as by a server; found through {@link
 * java.util.ServiceLoader}. A store is no such thing: see {@link dev.holdfast.store.StoreProvider}.
 */
public interface LeasesProvider {
    /** The schemes, without the colon, in lower case. */
    Set<String> schemes();

    /**
     * Opens a client.
     *
     * @param url the whole URL, scheme included
     * @throws IllegalArgumentException if the URL is not understood; the message says what was expected
     * @throws StoreException if it cannot be opened
     */
    Leases open(String url, LeasesOptions options);
}
