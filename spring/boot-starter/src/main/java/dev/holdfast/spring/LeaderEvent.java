package dev.holdfast.spring;

import dev.holdfast.Lease;
import dev.holdfast.LostReason;
import java.util.Optional;

/** The election of this instance, or the end of its leadership. */
public sealed interface LeaderEvent {
    /** The name of the election. */
    String election();

    /** The lease of the leadership; its fence protects the resources that the leader writes to. */
    Lease lease();

    /** This instance was elected. */
    record Elected(String election, Lease lease) implements LeaderEvent {}

    /**
     * The leadership ended.
     *
     * @param reason why the lease was lost; empty if this instance gave the leadership up
     */
    record Lost(String election, Lease lease, Optional<LostReason> reason) implements LeaderEvent {}
}
