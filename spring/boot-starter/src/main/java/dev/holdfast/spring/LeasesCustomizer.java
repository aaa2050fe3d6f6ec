package dev.holdfast.spring;

import dev.holdfast.LeasesOptions;

/** A callback that changes the options of a client before it is opened. All beans of this type are called, in their order. */
@FunctionalInterface
public interface LeasesCustomizer {
    /**
     * Changes the options.
     *
     * @param store the name of the store, as in {@code holdfast.stores.NAME}; empty for the store of {@code holdfast.store}
     */
    void customize(String store, LeasesOptions.Builder options);
}
