package dev.holdfast.history;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A grant of a key that has ended. All times are by the wall clocks of the writers: for people, never for a decision.
 *
 * @param number its place among all grants of the key, from 1 on. Numbers that are missing between two lines are grants
 *     that were not recorded.
 * @param holder its last holder
 * @param endedBy when the end was written; the grant had ended by then: see {@link #endedAt}
 * @param actor the name of the client that evicted it; null for any other end
 * @param reason the reason of an eviction, perhaps shortened; null for any other end
 */
public record PastGrant(
        long number,
        Holder holder,
        Fence fence,
        Instant grantedAt,
        GrantEnd end,
        Instant endedBy,
        @Nullable Holder actor,
        @Nullable String reason) {
    public PastGrant {
        if (number < 0) {
            throw ArgumentCheck.bad("number", number, ">= 0");
        }
        if (end != GrantEnd.EVICTED && (actor != null || reason != null)) {
            throw ArgumentCheck.bad("actor", actor, "none, as the grant was not evicted but " + end);
        }
        if (reason != null) {
            ArgumentCheck.nonEmptyText("reason", reason, SizeLimits.REASON_BYTES);
        }
    }

    /** A grant that was not evicted. */
    public PastGrant(long number, Holder holder, Fence fence, Instant grantedAt, GrantEnd end, Instant endedBy) {
        this(number, holder, fence, grantedAt, end, endedBy, null, null);
    }

    /** When it ended; empty if only {@link #endedBy} is known. */
    public Optional<Instant> endedAt() {
        return end.isAtKnownTime() ? Optional.of(endedBy) : Optional.empty();
    }
}
