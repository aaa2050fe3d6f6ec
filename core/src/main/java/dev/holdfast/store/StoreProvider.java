package dev.holdfast.store;

import dev.holdfast.StoreException;
import java.util.Set;

/** The factory of stores for some URL schemes, found through {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    /** The schemes, without the colon, in lower case. */
    Set<String> schemes();

    /**
     * Opens the store.
     *
     * @param url the whole URL, scheme included
     * @throws IllegalArgumentException if the URL is invalid; the message names the expected form
     * @throws StoreException if the store cannot be reached
     */
    LeaseStore open(String url, HostEnvironment hostEnvironment);
}
