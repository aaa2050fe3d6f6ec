package dev.holdfast.judges.linear;

import dev.holdfast.judges.linear.LeaseEntry.Status;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The model of a lease register: the conditions that each answer puts on the state of its key, and none that a correct
 * store might break.
 *
 * <p><b>Times.</b> Each call of an order gets the earliest time that is possible: not before its start, its predecessor,
 * or, for a takeover, the expiry of the lease that it takes. The order is possible if no call comes after its answer.
 * Earliest times are best: an earlier renewal expires earlier, and no rule here needs a call to be late.
 *
 * <p><b>Expiry.</b> A lease that is held may be granted to others only after its term, counted from its grant or its
 * last acknowledged renewal. A five hundredth of the term is tolerated, as both clocks may drift by a thousandth. A store
 * may wait longer. So an expired lease may still be shown as held, and may be renewed, updated or finished by its token.
 * Background renewals are not in the history. They only prolong a lease, so it is sound to ignore them. The
 * {@code believe} answers of the holder are the evidence of them: see {@link #believed}.
 *
 * <p><b>Unseen grants.</b> A grant whose answer reached no caller has an unknown fence. The library releases such a
 * grant if it can, without a line in the history. So it may vanish at any time until its caller renews it: see {@link
 * LeaseOp#from}.
 */
final class LeaseEffects {
    private static final int TOLERANCE_DIVISOR = 500;

    private LeaseEffects() {}

    /** The time from a grant or renewal for which no other token can be granted the key. */
    static long earliestExpiry(long term) {
        return term - term / TOLERANCE_DIVISOR;
    }

    /** A grant to {@code token}, or the discovery that it holds the key already, which begins a new term. */
    static LeaseEffect granted(String token, long fence, long term) {
        return before -> {
            LeaseEntry entry = before.entry();
            if (entry.isHeldBy(token)) {
                return entry.matches(fence)
                        ? before.begun(entry.found(fence), term).alone()
                        : List.of();
            }
            return isGrantable(entry) && entry.isBelow(fence)
                    ? before.onceExpired()
                            .begun(entry.granted(token, fence), term)
                            .alone()
                    : List.of();
        };
    }

    /**
     * A grant whose answer reached no caller.
     *
     * @param mayVanish whether the library may release it, as no caller waits for it any more
     */
    static LeaseEffect grantedUnseen(String token, long term, boolean mayVanish) {
        return before -> {
            LeaseEntry entry = before.entry();
            if (entry.isHeldBy(token)) {
                return before.begun(entry, term).alone();
            }
            return isGrantable(entry)
                    ? before.onceExpired()
                            .begun(entry.grantedUnseen(token, mayVanish), term)
                            .alone()
                    : List.of();
        };
    }

    /** A grant to a token that no other call uses. It may vanish. */
    static LeaseEffect grantedToLoner(long term) {
        return before -> isGrantable(before.entry())
                ? before.onceExpired()
                        .begun(before.entry().grantedUnseen(LeaseEntry.NO_TOKEN, true), term)
                        .alone()
                : List.of();
    }

    /** Whether the key can be granted to a new token, if need be once its lease has expired. */
    private static boolean isGrantable(LeaseEntry entry) {
        return entry.status() != Status.DONE;
    }

    /** A refusal, because another token holds the key, or its lease has expired and was not taken. */
    static LeaseEffect refusedAsHeld(String token, @Nullable Long fence) {
        return before -> before.entry().isHeldByOther(token) ? shown(before, fence) : List.of();
    }

    static LeaseEffect refusedAsDone(@Nullable Long fence) {
        return before -> before.entry().status() == Status.DONE ? shown(before, fence) : List.of();
    }

    static LeaseEffect renewed(String token, long term) {
        return before -> before.entry().isHeldBy(token)
                ? before.begun(before.entry().kept(), term).alone()
                : List.of();
    }

    /** A release; the second one changes nothing. */
    static LeaseEffect released(String token) {
        return before -> {
            LeaseEntry entry = before.entry();
            if (entry.isHeldBy(token)) {
                return before.ended(entry.withStatus(Status.FREE)).alone();
            }
            return entry.status() == Status.FREE && entry.token().equals(token) ? before.alone() : List.of();
        };
    }

    /** A release that took effect, although its answer says otherwise: its first answer was lost. */
    static LeaseEffect releasedUnseen(String token) {
        return before -> before.entry().isHeldBy(token)
                ? before.ended(before.entry().withStatus(Status.FREE)).alone()
                : List.of();
    }

    /** The answer that a release came too late: the key has another holder since, or is done. */
    static LeaseEffect notReleased(String token) {
        return requiring(entry -> !entry.isHeldBy(token)
                && !(entry.status() == Status.FREE && entry.token().equals(token)));
    }

    /** The end of the work on a key; the second answer to the same token changes nothing. */
    static LeaseEffect finished(String token) {
        return before -> {
            LeaseEntry entry = before.entry();
            if (entry.isHeldBy(token)) {
                return before.ended(entry.withStatus(Status.DONE)).alone();
            }
            return entry.status() == Status.DONE && entry.token().equals(token) ? before.alone() : List.of();
        };
    }

    static LeaseEffect notFinished(String token) {
        return requiring(entry -> !entry.isHeldBy(token)
                && !(entry.status() == Status.DONE && entry.token().equals(token)));
    }

    static LeaseEffect updated(String token, String value) {
        return before -> before.entry().isHeldBy(token)
                ? before.kept(before.entry().withValue(value)).alone()
                : List.of();
    }

    /** The answer that {@code token} does not hold the key. */
    static LeaseEffect notHolding(String token) {
        return requiring(entry -> !entry.isHeldBy(token));
    }

    /** A key that was done is free. Any other key that is not held stays as it is. */
    static LeaseEffect reopened() {
        return before -> switch (before.entry().status()) {
            case DONE -> before.ended(before.entry().withStatus(Status.FREE)).alone();
            case ABSENT, FREE -> before.alone();
            case HELD -> before.onceExpired().alone();
        };
    }

    static LeaseEffect notReopened() {
        return requiring(entry -> entry.status() != Status.DONE);
    }

    /** An operator ends a grant by force. A key that is not held stays as it is. */
    static LeaseEffect evicted() {
        return before -> before.entry().status() == Status.HELD
                ? before.ended(before.entry().evictedByForce()).alone()
                : before.alone();
    }

    static LeaseEffect notEvicted() {
        return requiring(entry -> entry.status() != Status.HELD);
    }

    static LeaseEffect absent() {
        return requiring(entry -> entry.status() == Status.ABSENT);
    }

    /** A status. A lease that has expired is shown as free. */
    static LeaseEffect read(Status status, @Nullable Long fence, @Nullable String value) {
        return before -> {
            if (value != null && !before.entry().value().equals(value)) {
                return List.of();
            }
            LeaseEntry entry = before.entry();
            if (entry.status() == status) {
                return shown(before, fence);
            }
            if (status != Status.FREE || entry.status() == Status.DONE) {
                return List.of();
            }
            // A request that was given up on an absent key leaves a free entry, so that it cannot apply later.
            return entry.status() == Status.HELD
                    ? shown(before.onceExpired(), fence)
                    : shown(before.ended(entry.withStatus(Status.FREE)), fence);
        };
    }

    /**
     * The holder's own conviction that it holds the key with {@code fence}. Then no later grant was made, unless an
     * operator evicted this one by force. It says nothing about the age of the last renewal.
     */
    static LeaseEffect believed(long fence) {
        return requiring(entry -> (entry.fenceKnown() && entry.fence() == fence)
                || entry.evicted().contains(fence));
    }

    private static LeaseEffect requiring(Predicate<LeaseEntry> condition) {
        return before -> condition.test(before.entry()) ? before.alone() : List.of();
    }

    private static List<ModelState> shown(ModelState state, @Nullable Long fence) {
        if (fence == null) {
            return state.alone();
        }
        LeaseEntry entry = state.entry();
        return entry.matches(fence) ? state.kept(entry.withFence(fence)).alone() : List.of();
    }
}
