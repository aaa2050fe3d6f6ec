package dev.holdfast.judges.linear;

import java.util.List;
import java.util.stream.Stream;

/**
 * The modelled state of one key, without times.
 *
 * @param fence the fence of the last grant; if not {@code fenceKnown}, the least that it can be
 * @param token the token of the last grant, even if that has ended; empty if there was none
 * @param mayVanish whether no caller received the last grant, so that the library may release it at any time
 * @param value the attribute; empty if it was never set
 * @param evicted the fences that an operator evicted by force
 */
record LeaseEntry(
        Status status,
        long fence,
        boolean fenceKnown,
        String token,
        boolean mayVanish,
        String value,
        List<Long> evicted) {
    enum Status {
        /** Never written. */
        ABSENT,
        FREE,
        HELD,
        DONE
    }

    static final LeaseEntry BLANK = new LeaseEntry(Status.ABSENT, 0, false, "", false, "", List.of());

    boolean isHeldBy(String other) {
        return status == Status.HELD && token.equals(other);
    }

    boolean isHeldByOther(String other) {
        return status == Status.HELD && !token.equals(other);
    }

    /** Whether the last grant can have this fence. */
    boolean matches(long shown) {
        return fenceKnown ? fence == shown : shown >= fence;
    }

    /** Whether the next grant can have this fence. */
    boolean isBelow(long next) {
        return fence < next;
    }

    LeaseEntry granted(String newToken, long newFence) {
        return new LeaseEntry(Status.HELD, newFence, true, newToken, false, value, evicted);
    }

    /** Granted, but no caller knows it. */
    LeaseEntry grantedUnseen(String newToken, boolean vanishing) {
        return new LeaseEntry(Status.HELD, fence + 1, false, newToken, vanishing, value, evicted);
    }

    /** The grant of this token was found again by another call, and has this fence. */
    LeaseEntry found(long shown) {
        return new LeaseEntry(status, shown, true, token, false, value, evicted);
    }

    /** Renewed by its token, so that the library does not release it any more. */
    LeaseEntry kept() {
        return new LeaseEntry(status, fence, fenceKnown, token, false, value, evicted);
    }

    LeaseEntry withFence(long shown) {
        return new LeaseEntry(status, shown, true, token, mayVanish, value, evicted);
    }

    LeaseEntry withStatus(Status next) {
        return new LeaseEntry(next, fence, fenceKnown, token, false, value, evicted);
    }

    LeaseEntry withValue(String next) {
        return new LeaseEntry(status, fence, fenceKnown, token, mayVanish, next, evicted);
    }

    LeaseEntry evictedByForce() {
        List<Long> all =
                fenceKnown ? Stream.concat(evicted.stream(), Stream.of(fence)).toList() : evicted;
        return new LeaseEntry(Status.FREE, fence, fenceKnown, token, false, value, all);
    }
}
