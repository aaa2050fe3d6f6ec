package dev.holdfast;

/** A {@link Leases} that can act for holders in other processes: one on a store. */
public interface RelayingLeases extends Leases {
    Relay relay();
}
