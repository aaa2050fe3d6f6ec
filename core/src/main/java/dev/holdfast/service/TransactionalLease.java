package dev.holdfast.service;

import dev.holdfast.Lease;

/** A lease that its holder can finish by a write of its own, in a transaction on the database of the store. */
public interface TransactionalLease extends Lease {
    /** Ends the lease here, so that this process does not rely on it any more. This does no I/O, and writes nothing. */
    void stopRelying();

    /** Notes that the key is done, so that closing the lease has nothing to release. */
    void noteDone();
}
