package dev.holdfast.importing;

import dev.holdfast.Leases;

/**
 * An optional capability of {@link Leases}: to import the data of another tool. Clients with direct access to a store
 * have it.
 */
public interface ImportingLeases extends Leases {
    /** @throws IllegalArgumentException if the store is in the layout of another tool */
    ImportTarget importTarget();
}
