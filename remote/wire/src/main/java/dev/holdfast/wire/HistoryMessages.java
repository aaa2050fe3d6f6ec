package dev.holdfast.wire;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conversion of histories to messages and back. */
public final class HistoryMessages {
    private HistoryMessages() {}

    static List<dev.holdfast.proto.v1.PastGrant> wire(GrantHistory history) {
        return history.lines().stream().map(HistoryMessages::wire).toList();
    }

    private static dev.holdfast.proto.v1.PastGrant wire(PastGrant line) {
        dev.holdfast.proto.v1.PastGrant.Builder wire = dev.holdfast.proto.v1.PastGrant.newBuilder()
                .setNumber(line.number())
                .setHolder(line.holder().name())
                .setFence(line.fence().value())
                .setGrantedAt(TimeMessages.wire(line.grantedAt()))
                .setEnd(wire(line.end()))
                .setEndedBy(TimeMessages.wire(line.endedBy()));
        if (line.actor() != null) {
            wire.setActor(line.actor().name());
        }
        if (line.reason() != null) {
            wire.setReason(line.reason());
        }
        return wire.build();
    }

    private static dev.holdfast.proto.v1.GrantEnd wire(GrantEnd end) {
        return switch (end) {
            case RELEASED -> dev.holdfast.proto.v1.GrantEnd.GRANT_END_RELEASED;
            case DONE -> dev.holdfast.proto.v1.GrantEnd.GRANT_END_DONE;
            case EXPIRED -> dev.holdfast.proto.v1.GrantEnd.GRANT_END_EXPIRED;
            case EVICTED -> dev.holdfast.proto.v1.GrantEnd.GRANT_END_EVICTED;
            case HANDED_OVER -> dev.holdfast.proto.v1.GrantEnd.GRANT_END_HANDED_OVER;
            case ORPHANED -> dev.holdfast.proto.v1.GrantEnd.GRANT_END_ORPHANED;
            case UNDELIVERED -> dev.holdfast.proto.v1.GrantEnd.GRANT_END_UNDELIVERED;
        };
    }

    /** Returns the history of a key. A line of a newer server, with an end that this version does not know, is left out. */
    static GrantHistory history(Instant createdAt, List<dev.holdfast.proto.v1.PastGrant> wire) {
        List<PastGrant> lines = new ArrayList<>(wire.size());
        for (dev.holdfast.proto.v1.PastGrant line : wire) {
            GrantEnd end = end(line.getEnd());
            if (end != null) {
                lines.add(line(line, end));
            }
        }
        return GrantHistory.of(createdAt, lines);
    }

    private static PastGrant line(dev.holdfast.proto.v1.PastGrant wire, GrantEnd end) {
        return new PastGrant(
                wire.getNumber(),
                Holder.of(wire.getHolder()),
                Fence.of(wire.getFence()),
                TimeMessages.instant("granted_at", wire.getGrantedAt()),
                end,
                TimeMessages.instant("ended_by", wire.getEndedBy()),
                wire.getActor().isEmpty() ? null : Holder.of(wire.getActor()),
                wire.getReason().isEmpty() ? null : wire.getReason());
    }

    /** Returns the end; null if this version does not know it. */
    public static @Nullable GrantEnd end(dev.holdfast.proto.v1.GrantEnd wire) {
        return switch (wire) {
            case GRANT_END_RELEASED -> GrantEnd.RELEASED;
            case GRANT_END_DONE -> GrantEnd.DONE;
            case GRANT_END_EXPIRED -> GrantEnd.EXPIRED;
            case GRANT_END_EVICTED -> GrantEnd.EVICTED;
            case GRANT_END_HANDED_OVER -> GrantEnd.HANDED_OVER;
            case GRANT_END_ORPHANED -> GrantEnd.ORPHANED;
            case GRANT_END_UNDELIVERED -> GrantEnd.UNDELIVERED;
            case GRANT_END_UNSPECIFIED, UNRECOGNIZED -> null;
        };
    }
}
