package dev.holdfast;

/**
 * A lease that keeps others alive. Leases that are acquired {@linkplain AcquireOptions#under under} it need no renewals of their own: one heartbeat keeps all of them, and they end with it.
 *
 * <p>Closing it ends all of them with one write; their holders are notified of the loss as {@code EVICTED}. An anchor is never
 * done.
 */
public interface Anchor extends Lease {}
