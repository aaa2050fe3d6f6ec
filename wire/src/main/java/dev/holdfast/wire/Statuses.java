package dev.holdfast.wire;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Key;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.State;
import dev.holdfast.proto.v1.AnchorRef;
import dev.holdfast.proto.v1.Granted;
import java.time.Duration;

/** What is known of keys. */
public final class Statuses {
    private Statuses() {}

    public static dev.holdfast.proto.v1.LeaseStatus wire(LeaseStatus status, boolean withToken) {
        return wire(status.entry(), status.state(), status.remaining(), withToken);
    }

    /** What somebody was granted, or has just written. If an anchor keeps it, how long is the anchor's to say. */
    public static dev.holdfast.proto.v1.LeaseStatus written(Entry entry) {
        Grant grant = entry.grant();
        boolean beatsItself = entry.state() == State.HELD && entry.heldThrough() == null;
        Duration remaining = grant != null && beatsItself ? grant.term().duration() : Duration.ZERO;
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
            Entry entry, State state, Duration remaining, boolean withToken) {
        dev.holdfast.proto.v1.LeaseStatus.Builder wire = dev.holdfast.proto.v1.LeaseStatus.newBuilder()
                .setNamespace(entry.key().namespace())
                .setName(entry.key().name())
                .setState(wire(state))
                .setStoredState(wire(entry.state()))
                .setFence(entry.fence().value())
                .setGrants(entry.grants())
                .putAllAttributes(Values.wire(entry.attributes()))
                .setCreatedAt(Times.wire(entry.createdAt()))
                .setRemaining(Times.wire(remaining))
                .setVersion(entry.version().toString());
        if (entry.grant() != null) {
            wire.setGrant(wire(entry.grant(), withToken));
        }
        if (entry.doneAt() != null) {
            wire.setDoneAt(Times.wire(entry.doneAt()));
        }
        return wire.build();
    }

    private static dev.holdfast.proto.v1.Grant wire(Grant grant, boolean withToken) {
        dev.holdfast.proto.v1.Grant.Builder wire = dev.holdfast.proto.v1.Grant.newBuilder()
                .setHolder(grant.holder().name())
                .setTerm(Times.wire(grant.term().duration()))
                .setTermUnknown(!grant.term().isKnown())
                .setBeat(grant.beat().toString())
                .setGrantedAt(Times.wire(grant.grantedAt()));
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

    public static dev.holdfast.proto.v1.State wire(State state) {
        return switch (state) {
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
