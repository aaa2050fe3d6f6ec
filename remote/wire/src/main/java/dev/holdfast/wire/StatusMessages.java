package dev.holdfast.wire;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LostReason;
import dev.holdfast.proto.v1.AnchorRef;
import dev.holdfast.proto.v1.Granted;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;

/** The conversion of entries and lease statuses to messages. */
public final class StatusMessages {
    private StatusMessages() {}

    /** Returns the whole status. Other messages omit the history, which may be larger than all the rest. */
    public static dev.holdfast.proto.v1.LeaseStatus withHistory(LeaseStatus status, boolean withToken) {
        return wire(status, withToken).toBuilder()
                .addAllHistory(HistoryMessages.wire(status.history()))
                .build();
    }

    public static dev.holdfast.proto.v1.LeaseStatus wire(LeaseStatus status, boolean withToken) {
        return wire(status.entry(), status.state(), status.remaining(), withToken);
    }

    /**
     * Returns the status of an entry that the caller was granted or has just written. The remaining time is zero under
     * an anchor, because it depends on that anchor.
     */
    public static dev.holdfast.proto.v1.LeaseStatus written(Entry entry) {
        Grant grant = entry.grant();
        boolean renewedByItself = entry.state() == LeaseState.HELD && entry.heldThrough() == null;
        Duration remaining = grant != null && renewedByItself ? grant.term().duration() : Duration.ZERO;
        return wire(entry, entry.state(), remaining, true);
    }

    public static Granted granted(Entry entry) {
        dev.holdfast.proto.v1.LeaseStatus status = written(entry);
        return Granted.newBuilder()
                .setToken(status.getGrant().getToken())
                .setFence(status.getFence())
                .setTerm(status.getGrant().getTerm())
                .setStatus(status)
                .build();
    }

    private static dev.holdfast.proto.v1.LeaseStatus wire(
            Entry entry, LeaseState leaseState, Duration remaining, boolean withToken) {
        dev.holdfast.proto.v1.LeaseStatus.Builder wire = dev.holdfast.proto.v1.LeaseStatus.newBuilder()
                .setNamespace(entry.key().namespace())
                .setName(entry.key().name())
                .setState(wire(leaseState))
                .setStoredState(wire(entry.state()))
                .setFence(entry.fence().value())
                .setGrants(entry.grants())
                .putAllAttributes(AttributeMessages.wire(entry.attributes()))
                .setCreatedAt(TimeMessages.wire(entry.createdAt()))
                .setRemaining(TimeMessages.wire(remaining))
                .setVersion(entry.version().toString());
        if (entry.grant() != null) {
            wire.setGrant(wire(entry.grant(), withToken));
        }
        if (entry.doneAt() != null) {
            wire.setDoneAt(TimeMessages.wire(entry.doneAt()));
        }
        return wire.build();
    }

    private static dev.holdfast.proto.v1.Grant wire(Grant grant, boolean withToken) {
        dev.holdfast.proto.v1.Grant.Builder wire = dev.holdfast.proto.v1.Grant.newBuilder()
                .setHolder(grant.holder().name())
                .setTerm(TimeMessages.wire(grant.term().duration()))
                .setTermUnknown(!grant.term().isKnown())
                .setBeat(grant.beat().toString())
                .setGrantedAt(TimeMessages.wire(grant.grantedAt()));
        if (withToken) {
            wire.setToken(grant.token().secret());
        }
        if (grant.anchor() != null) {
            wire.setAnchor(AnchorRef.newBuilder()
                    .setKey(wire(grant.anchor().key()))
                    .setFence(grant.anchor().fence().value()));
        }
        return wire.build();
    }

    public static dev.holdfast.proto.v1.Key wire(Key key) {
        return dev.holdfast.proto.v1.Key.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .build();
    }

    public static dev.holdfast.proto.v1.State wire(LeaseState leaseState) {
        return switch (leaseState) {
            case FREE -> dev.holdfast.proto.v1.State.STATE_FREE;
            case HELD -> dev.holdfast.proto.v1.State.STATE_HELD;
            case DONE -> dev.holdfast.proto.v1.State.STATE_DONE;
        };
    }

    public static dev.holdfast.proto.v1.LostReason wire(LostReason reason) {
        return switch (reason) {
            case EXPIRED -> dev.holdfast.proto.v1.LostReason.LOST_REASON_EXPIRED;
            case TAKEN -> dev.holdfast.proto.v1.LostReason.LOST_REASON_TAKEN;
            case EVICTED -> dev.holdfast.proto.v1.LostReason.LOST_REASON_EVICTED;
            case STORE_UNREACHABLE -> dev.holdfast.proto.v1.LostReason.LOST_REASON_STORE_UNREACHABLE;
        };
    }
}
