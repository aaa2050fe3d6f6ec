package dev.holdfast;

/** An optional power of {@link Leases}: to act for holders elsewhere. Those on a store have it. */
public interface RelayingLeases extends Leases {
    Relay relay();
}
