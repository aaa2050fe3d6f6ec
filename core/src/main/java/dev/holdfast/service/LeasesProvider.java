package dev.holdfast.service;

import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import java.util.Set;

/**
 * A provider of clients whose requests a server decides, for some URL schemes; found through {@link java.util.ServiceLoader}. For
 * stores see {@link dev.holdfast.store.StoreProvider}.
 */
public interface LeasesProvider {
    /** The schemes, without the colon, in lower case. */
    Set<String> schemes();

    /**
     * Opens a client.
     *
     * @param url the whole URL, scheme included
     * @throws IllegalArgumentException if the URL is malformed; the message states the expected form
     * @throws StoreException if it cannot be opened
     */
    Leases open(String url, LeasesOptions options);
}
