package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Token;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Grant;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.store.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Lease as read from the tool's own attributes, within our limits.
 *
 * @param fence null if the tool has none
 * @param expiresAt null if expiry is judged by observation
 */
record ForeignLease(
        boolean isHeld,
        Holder holder,
        Token token,
        Term term,
        @Nullable Fence fence,
        @Nullable Instant expiresAt) {
    private static final Holder UNKNOWN = Holder.of("unknown");
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** @param holder only for display; any text */
    static ForeignLease of(boolean isHeld, String holder, UUID token, Term term) {
        return new ForeignLease(isHeld, holder(holder), Token.of(token), term, null, null);
    }

    ForeignLease withFence(long number) {
        return new ForeignLease(isHeld, holder, token, term, Fence.of(number), expiresAt);
    }

    ForeignLease endingAt(Instant time) {
        return new ForeignLease(isHeld, holder, token, term, fence, time);
    }

    private static Holder holder(String name) {
        try {
            return name.isEmpty() ? UNKNOWN : Holder.of(name);
        } catch (IllegalArgumentException e) {
            return UNKNOWN;
        }
    }

    /**
     * Returns the nearest term that we can represent. If expiry is judged by it, it must not be shorter than the
     * original.
     */
    static Term term(Duration term) {
        Duration millis = Duration.ofMillis(term.toMillis());
        if (millis.compareTo(SHORTEST) < 0) {
            return Term.of(SHORTEST);
        }
        return Term.of(millis.compareTo(SizeLimits.TERM_MAX) > 0 ? SizeLimits.TERM_MAX : millis);
    }

    /** Returns the rest of a lease with a term that the other tool did not record. */
    static Term remaining(Instant expiresAt, Instant now) {
        return Term.ofUnknownLength(term(Duration.between(now, expiresAt)).duration());
    }

    Fence fenceOrNone() {
        return fence == null ? Fence.NONE : fence;
    }

    /** Returns the grant, or null for a free lease. Its time is unknown: an expiry gives only the last renewal. */
    @Nullable
    Grant grant(UUID beat) {
        return isHeld ? new Grant(token, holder, term, Beat.of(beat), Instant.EPOCH, null) : null;
    }
}
