package dev.holdfast.wire;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LostReason;
import dev.holdfast.Token;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The conversion of a server's messages to the types of Holdfast. */
public final class OutcomeMessages {
    private OutcomeMessages() {}

    public static LeaseStatus status(dev.holdfast.proto.v1.LeaseStatus wire) {
        return new LeaseStatus(
                entry(wire), state(wire.getState()), TimeMessages.duration("remaining", wire.getRemaining()));
    }

    /** Returns the stored entry. {@link Token#HIDDEN} stands for a token that the server did not send. */
    public static Entry entry(dev.holdfast.proto.v1.LeaseStatus wire) {
        Instant createdAt = TimeMessages.instant("created_at", wire.getCreatedAt());
        return new Entry(
                Key.of(wire.getNamespace(), wire.getName()),
                Version.parse(wire.getVersion()),
                state(wire.getStoredState()),
                Fence.of(wire.getFence()),
                wire.getGrants(),
                wire.hasGrant() ? grant(wire.getGrant()) : null,
                AttributeMessages.attributes(wire.getAttributesMap()),
                createdAt,
                wire.hasDoneAt() ? TimeMessages.instant("done_at", wire.getDoneAt()) : null,
                HistoryMessages.history(createdAt, wire.getHistoryList()));
    }

    private static Grant grant(dev.holdfast.proto.v1.Grant wire) {
        return new Grant(
                wire.getToken().isEmpty() ? Token.HIDDEN : Token.parse(wire.getToken()),
                Holder.of(wire.getHolder()),
                term(wire),
                Beat.parse(wire.getBeat()),
                TimeMessages.instant("granted_at", wire.getGrantedAt()),
                wire.hasAnchor() ? anchor(wire.getAnchor()) : null);
    }

    private static Term term(dev.holdfast.proto.v1.Grant wire) {
        Duration term = TimeMessages.duration("term", wire.getTerm());
        return wire.getTermUnknown() ? Term.ofUnknownLength(term) : Term.of(term);
    }

    private static AnchorRef anchor(dev.holdfast.proto.v1.AnchorRef wire) {
        return new AnchorRef(key(wire.getKey()), Fence.of(wire.getFence()));
    }

    public static Key key(dev.holdfast.proto.v1.Key wire) {
        return Key.of(wire.getNamespace(), wire.getName());
    }

    public static LeaseState state(dev.holdfast.proto.v1.State wire) {
        return switch (wire) {
            case STATE_FREE -> LeaseState.FREE;
            case STATE_HELD -> LeaseState.HELD;
            case STATE_DONE -> LeaseState.DONE;
            case STATE_UNSPECIFIED, UNRECOGNIZED ->
                throw ArgumentCheck.bad("state", wire, "STATE_FREE, STATE_HELD or STATE_DONE");
        };
    }

    /** Returns the reason. A reason that this version does not know yet becomes the closest known one. */
    public static LostReason reason(dev.holdfast.proto.v1.@Nullable LostReason wire) {
        if (wire == null) {
            return LostReason.EVICTED;
        }
        return switch (wire) {
            case LOST_REASON_EXPIRED -> LostReason.EXPIRED;
            case LOST_REASON_TAKEN -> LostReason.TAKEN;
            case LOST_REASON_STORE_UNREACHABLE -> LostReason.STORE_UNREACHABLE;
            case LOST_REASON_EVICTED, LOST_REASON_UNSPECIFIED, UNRECOGNIZED -> LostReason.EVICTED;
        };
    }
}
