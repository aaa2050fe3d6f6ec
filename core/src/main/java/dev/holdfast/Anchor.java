package dev.holdfast;

/**
 * A lease that keeps others alive. Leases that are acquired {@linkplain AcquireOptions#under under} it cost no renewals
 * of their own: one heartbeat holds them all, and they end with it.
 *
 * <p>Closing it ends all of them with one write; who holds one of them is told {@code EVICTED}. An anchor is never done.
 */
public interface Anchor extends Lease {}
