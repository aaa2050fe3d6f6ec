package dev.holdfast.importing;

import dev.holdfast.Leases;

/** An optional power of {@link Leases}: to import what another tool has stored. Clients on a store have it. */
public interface ImportingLeases extends Leases {
    /** @throws IllegalArgumentException if the store is in the layout of another tool */
    ImportTarget importTarget();
}
