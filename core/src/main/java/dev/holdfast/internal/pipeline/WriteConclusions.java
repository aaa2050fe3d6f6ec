package dev.holdfast.internal.pipeline;

import dev.holdfast.LeaseListener;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.RetryBackoff;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The conclusions from the store's answer to a write, or from a missing answer. The request is answered, decided again,
 * retried, or given up in such a way that its effect is certain.
 */
record WriteConclusions(
        RuleSet rules, EntryCache cache, PipelineClock clock, LeaseListener listener, Duration settleTimeout) {
    /**
     * After this many answers in a row that took longer than the term, the store is too slow for a lease of that term.
     */
    private static final int LATE_GRANTS = 3;

    /**
     * Draws the conclusion from an outcome.
     *
     * @param asked the place of the write in the order of questions and answers
     */
    NextStep conclude(PendingRequest pending, Change sent, WriteOutcome outcome, long asked, ClockReading now) {
        if (outcome instanceof WriteOutcome.Conflict conflict) {
            pending.observed(
                    pending.key, cache.note(pending.key, conflict.stored(), asked, clock.nextPlace(), now.nanos()));
            pending.raiseFloor(conflict.floor());
            Entry current = conflict.stored() == null ? null : conflict.stored().entry();
            return conflicted(pending, current, now);
        }
        if (outcome instanceof WriteOutcome.Failed failed) {
            return sendFailed(pending, failed.failure());
        }
        cache.noteWritten(pending.key, sent.next(), asked, clock.nextPlace(), now.nanos());
        return pending.isBarring() ? fail(pending, givenUp(), Effect.NOT_APPLIED) : fulfil(pending, sent.next(), now);
    }

    private NextStep conflicted(PendingRequest pending, @Nullable Entry current, ClockReading now) {
        PendingRequest.State.Writing writing = pending.writing();
        boolean byFloorAlone = current == null && writing.replaced() == null;
        if (rules.settlement().tookEffect(writing.change(), current)) {
            return fulfil(pending, current, now);
        }
        if (pending.state() instanceof PendingRequest.State.Barring barring) {
            return barConflicted(pending, barring.bar(), current, byFloorAlone);
        }
        if (writing.inDoubt() && !byFloorAlone) {
            pending.setUncertain();
            if (!pending.request.repeatsHarmlessly()) {
                return fail(pending, givenUp(), Effect.NOT_APPLIED);
            }
        }
        return decideAgain(pending);
    }

    private NextStep barConflicted(PendingRequest pending, Change bar, @Nullable Entry current, boolean byFloorAlone) {
        if (byFloorAlone) {
            bar(pending);
            return new NextStep.Requeue();
        }
        if (!rules.settlement().tookEffect(bar, current)) {
            // The key has changed, so the change of the request can no longer be applied. But it may have been, before.
            pending.setUncertain();
        }
        return fail(pending, givenUp(), Effect.NOT_APPLIED);
    }

    private NextStep decideAgain(PendingRequest pending) {
        listener.onConflict(pending.key);
        pending.undecide();
        return clock.isOver(pending.deadlineNanos)
                ? fail(pending, StoreException.notApplied("too many conflicts", null), Effect.NOT_APPLIED)
                : new NextStep.Requeue();
    }

    private NextStep fulfil(PendingRequest pending, @Nullable Entry entry, ClockReading now) {
        PendingRequest.State.Writing writing = pending.writing();
        ClockReading firstSent = Objects.requireNonNull(writing.firstSent());
        ClockReading lastSent = Objects.requireNonNull(writing.lastSent());
        boolean isOver = entry != null && isOver(pending, entry, firstSent, lastSent, now);
        if (isOver && ++pending.lateGrants < LATE_GRANTS) {
            // The request, decided again, finds its own grant and renews it, so that its term begins anew.
            pending.setUncertain();
            return decideAgain(pending);
        }
        boolean late = isOver
                || (pending.request instanceof LeaseRequest.Acquire
                        && !rules.validity().inTime(now.nanos(), pending.deadlineNanos));
        pending.settle();
        return late
                ? new NextStep.ReleaseGrant(entry)
                : new NextStep.Respond(new Answer.Applied(entry, firstSent, lastSent, now, pending.isFound()));
    }

    /** Whether a grant took so long to be answered that its term, as its holder counts it, is over already. */
    private boolean isOver(
            PendingRequest pending, Entry entry, ClockReading firstSent, ClockReading lastSent, ClockReading now) {
        Grant grant = entry.grant();
        ValidityRules validity = rules.validity();
        boolean isAwaited = !pending.future.isDone() && validity.inTime(now.nanos(), pending.deadlineNanos);
        if (!isAwaited
                || !(pending.request instanceof LeaseRequest.Acquire)
                || grant == null
                || grant.anchor() != null) {
            return false;
        }
        return validity.remaining(validity.tenure(grant.term(), firstSent, lastSent, now), now)
                .isZero();
    }

    /** Concludes that a send of the request failed, or got no answer. */
    NextStep sendFailed(PendingRequest pending, StoreException failure) {
        pending.sendFailed(failure.effect() == Effect.UNKNOWN);
        return storeFailed(pending, failure);
    }

    /** Concludes that the store failed before the request could continue: it is retried later, if that may help. */
    NextStep storeFailed(PendingRequest pending, StoreException failure) {
        if (!failure.isRetryable()) {
            return fail(pending, failure, effectOfLastChange(pending));
        }
        listener.onRetry(pending.key, pending.attempts + 1, failure);
        Duration delay = RetryBackoff.RETRY.delay(pending.attempts++, clock.environment());
        long thenNanos = clock.nanos() + delay.toNanos();
        boolean isOver = thenNanos - pending.deadlineNanos >= 0;
        if (isOver && !pending.isBarring() && pending.isInDoubt() && pending.request.mustBeSettled()) {
            bar(pending);
        }
        long deadlineNanos = pending.state() instanceof PendingRequest.State.Barring barring
                ? barring.deadlineNanos()
                : pending.deadlineNanos;
        return thenNanos - deadlineNanos >= 0
                ? fail(pending, failure, effectOfLastChange(pending))
                : new NextStep.RetryAfter(delay);
    }

    static Effect effectOfLastChange(PendingRequest pending) {
        return pending.isInDoubt() ? Effect.UNKNOWN : Effect.NOT_APPLIED;
    }

    /** Gives up a request in doubt: from now on the bar is sent. */
    void bar(PendingRequest pending) {
        PendingRequest.State.Writing writing = pending.writing();
        Change bar = rules.settlement().bar(writing.change(), writing.replaced(), clock.stamp(pending.floor()));
        pending.bar(bar, clock.nanos() + settleTimeout.toNanos());
    }

    /** Ends a request with a failure. Its effect also covers earlier changes of the request. */
    NextStep fail(PendingRequest pending, StoreException failure, Effect ofLastChange) {
        pending.settle();
        return new NextStep.Fail(failure(pending, failure, pending.isUncertain() ? Effect.UNKNOWN : ofLastChange));
    }

    /** The failure of a request, with its key and its effect in the message. */
    static StoreException failure(PendingRequest pending, StoreException failure, Effect effect) {
        String known = effect == Effect.UNKNOWN
                ? "the store did not answer in time; the request may have been applied, or may yet be"
                : "the request was not applied";
        return failure.about(pending.key, effect, known + " (" + failure.getMessage() + ")");
    }

    static StoreException givenUp() {
        return StoreException.notApplied("no answer in time", null);
    }
}
