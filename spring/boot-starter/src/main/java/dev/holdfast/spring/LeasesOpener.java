package dev.holdfast.spring;

import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;

/**
 * A replacement for the stores that properties name, for tests. If there is a bean of this type, it opens all clients, and the
 * properties of stores only tell their names.
 */
@FunctionalInterface
public interface LeasesOpener {
    /**
     * Opens a client.
     *
     * @param store the name of the store, as in {@code holdfast.stores.NAME}; empty for the store of {@code holdfast.store}
     */
    Leases open(String store, LeasesOptions options);
}
