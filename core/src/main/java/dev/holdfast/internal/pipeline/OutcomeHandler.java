package dev.holdfast.internal.pipeline;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.internal.CallbackThread;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.ClockReading;
import dev.holdfast.internal.rules.LeaseRequest;
import dev.holdfast.internal.rules.ValidityRules;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Draws the conclusions from what the store answered, or did not: answers the operation, sends it round again, or gives
 * it up in such a way that it is certain what became of it.
 */
final class OutcomeHandler {
    private static final Logger log = LoggerFactory.getLogger(OutcomeHandler.class);

    /** A store that answers so many times in a row later than the term lasts cannot hold a lease of that term. */
    private static final int LATE_GRANTS = 3;

    private final RequestPipeline requestPipeline;

    OutcomeHandler(RequestPipeline requestPipeline) {
        this.requestPipeline = requestPipeline;
    }

    void answered(List<PendingRequest> operations, List<Change> changes, List<WriteOutcome> outcomes, long asked) {
        ClockReading now = requestPipeline.moment();
        for (int i = 0; i < operations.size(); i++) {
            PendingRequest pendingRequest = operations.get(i);
            Change change = changes.get(i);
            WriteOutcome writeOutcome = outcomes.get(i);
            contain(pendingRequest, () -> answered(pendingRequest, change, writeOutcome, asked, now));
        }
    }

    private void answered(
            PendingRequest pendingRequest, Change change, WriteOutcome writeOutcome, long asked, ClockReading now) {
        if (writeOutcome instanceof WriteOutcome.Conflict conflict) {
            pendingRequest.seen = requestPipeline.note(pendingRequest.key, conflict.stored(), asked, now.nanos());
            pendingRequest.floor = max(pendingRequest.floor, conflict.floor());
            conflicted(
                    pendingRequest,
                    conflict.stored() == null ? null : conflict.stored().entry(),
                    now);
        } else if (writeOutcome instanceof WriteOutcome.Failed failed) {
            failed(pendingRequest, failed.failure());
        } else {
            requestPipeline.noteWritten(pendingRequest.key, change.next(), asked, now.nanos());
            applied(pendingRequest, change, now);
        }
    }

    /** Runs one step of an operation. Trouble of any kind ends this operation, and no other. */
    @SuppressWarnings("IllegalCatch") // Or its caller, and all that share its batch, would wait for ever.
    void contain(PendingRequest pendingRequest, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            log.error("a request for {} failed in an unforeseen way", pendingRequest.key, e);
            fail(pendingRequest, StoreFailures.of(e), Effect.UNKNOWN);
        }
    }

    private void applied(PendingRequest pendingRequest, Change change, ClockReading now) {
        if (pendingRequest.bar != null) {
            fail(pendingRequest, givenUp(), Effect.NOT_APPLIED);
        } else {
            fulfil(pendingRequest, change.next(), now);
        }
        if (change.next() != null && change.next().state() != LeaseState.HELD) {
            requestPipeline.freed(pendingRequest.key);
        }
    }

    private void conflicted(PendingRequest pendingRequest, @Nullable Entry current, ClockReading now) {
        Change change = Objects.requireNonNull(pendingRequest.change);
        boolean byFloorAlone = current == null && pendingRequest.expected == null;
        if (requestPipeline.book().settlement().tookEffect(change, current)) {
            fulfil(pendingRequest, current, now);
            return;
        }
        if (pendingRequest.bar != null && requestPipeline.book().settlement().tookEffect(pendingRequest.bar, current)) {
            fail(pendingRequest, givenUp(), Effect.NOT_APPLIED);
            return;
        }
        pendingRequest.uncertain |= pendingRequest.doubtful && !byFloorAlone;
        if (pendingRequest.bar != null && byFloorAlone) {
            bar(pendingRequest);
            requestPipeline.resume(pendingRequest);
        } else if (pendingRequest.bar != null
                || (pendingRequest.uncertain && !pendingRequest.request.repeatsHarmlessly())) {
            // The key has moved on, so the change can no longer apply; but it may have, before.
            fail(pendingRequest, givenUp(), Effect.NOT_APPLIED);
        } else {
            decideAnew(pendingRequest);
        }
    }

    private void decideAnew(PendingRequest pendingRequest) {
        requestPipeline.listener().onConflict(pendingRequest.key);
        pendingRequest.doubtful = false;
        pendingRequest.change = null;
        pendingRequest.sendAnswered();
        if (isOver(pendingRequest.deadlineNanos)) {
            fail(pendingRequest, StoreException.notApplied("too many conflicts", null), Effect.NOT_APPLIED);
        } else {
            requestPipeline.resume(pendingRequest);
        }
    }

    private void fulfil(PendingRequest pendingRequest, @Nullable Entry entry, ClockReading now) {
        ClockReading firstSent = Objects.requireNonNull(pendingRequest.firstSent);
        ClockReading lastSent = Objects.requireNonNull(pendingRequest.lastSent);
        boolean isOver = entry != null && isOver(pendingRequest, entry, firstSent, lastSent, now);
        if (isOver && ++pendingRequest.lateGrants < LATE_GRANTS) {
            grantAgain(pendingRequest);
            return;
        }
        boolean late = isOver
                || (pendingRequest.request instanceof LeaseRequest.Acquire
                        && !requestPipeline.book().belief().inTime(now.nanos(), pendingRequest.deadlineNanos));
        pendingRequest.settled = true;
        if (late
                || !complete(
                        pendingRequest, new Answer.Applied(entry, firstSent, lastSent, now, pendingRequest.found))) {
            tooLate(pendingRequest, entry);
        }
    }

    /** Whether a grant took so long to be answered that its term, as its holder counts it, is over already. */
    private boolean isOver(
            PendingRequest pendingRequest,
            Entry entry,
            ClockReading firstSent,
            ClockReading lastSent,
            ClockReading now) {
        Grant grant = entry.grant();
        ValidityRules validityRules = requestPipeline.book().belief();
        boolean isAwaited =
                !pendingRequest.future.isDone() && validityRules.inTime(now.nanos(), pendingRequest.deadlineNanos);
        if (!isAwaited
                || !(pendingRequest.request instanceof LeaseRequest.Acquire)
                || grant == null
                || grant.anchor() != null) {
            return false;
        }
        return validityRules
                .remaining(validityRules.tenure(grant.term(), firstSent, lastSent, now), now)
                .isZero();
    }

    /** Begins its term anew before it is reported: the request, decided again, finds its own grant and renews it. */
    private void grantAgain(PendingRequest pendingRequest) {
        pendingRequest.uncertain =
                true; // It was granted: whatever comes now, that it had no effect can no longer be said.
        decideAnew(pendingRequest);
    }

    /** Nobody waits for this any more. What was granted is given back; other requests have had their effect. */
    private void tooLate(PendingRequest pendingRequest, @Nullable Entry entry) {
        if (pendingRequest.request instanceof LeaseRequest.Acquire && pendingRequest.mayGiveBack()) {
            giveBack(Objects.requireNonNull(entry));
        }
        fail(pendingRequest, StoreException.notApplied("the answer came too late", null), Effect.UNKNOWN);
    }

    /** Releases a grant that has nobody to go to, unless another call with the same token made it. */
    void giveBack(Answer.Applied granted) {
        if (!granted.found()) {
            giveBack(Objects.requireNonNull(granted.entry()));
        }
    }

    /** Releases a grant that has nobody to go to. */
    CompletionStage<Void> giveBack(Entry granted) {
        Key key = granted.key();
        Grant grant = Objects.requireNonNull(granted.grant());
        CompletableFuture<Void> given = new CompletableFuture<>();
        Futures.whenDone(
                requestPipeline.submit(key, new LeaseRequest.GiveBack(grant.token(), grant.beat())), (done, error) -> {
                    if (error != null) {
                        log.warn("{} was granted too late and not given back; it ends with its term", key, error);
                        given.completeExceptionally(Futures.cause(error));
                    } else {
                        given.complete(null);
                    }
                });
        return given;
    }

    boolean complete(PendingRequest pendingRequest, Answer answer) {
        requestPipeline.listener().onAnswered(pendingRequest.key, requestPipeline.nanos() - pendingRequest.begunNanos);
        return pendingRequest.future.complete(answer);
    }

    void failed(List<PendingRequest> operations, StoreException failure) {
        operations.forEach(pendingRequest -> contain(pendingRequest, () -> failed(pendingRequest, failure)));
    }

    private void failed(PendingRequest pendingRequest, StoreException failure) {
        if (pendingRequest.bar == null) {
            pendingRequest.doubtful |= failure.effect() == Effect.UNKNOWN;
        }
        pendingRequest.sendAnswered();
        inTrouble(pendingRequest, failure);
    }

    /** Tries again later, if that may help. */
    void inTrouble(PendingRequest pendingRequest, StoreException failure) {
        if (failure.isRetryable()) {
            retryLater(pendingRequest, failure);
        } else {
            fail(pendingRequest, failure, pendingRequest.doubtful ? Effect.UNKNOWN : Effect.NOT_APPLIED);
        }
    }

    private void retryLater(PendingRequest pendingRequest, StoreException failure) {
        requestPipeline.listener().onRetry(pendingRequest.key, pendingRequest.attempts + 1, failure);
        Duration delay = RetryBackoff.RETRY.delay(pendingRequest.attempts++, requestPipeline.runtime());
        long then = requestPipeline.nanos() + delay.toNanos();
        if (pendingRequest.bar == null
                && then - pendingRequest.deadlineNanos >= 0
                && pendingRequest.doubtful
                && settles(pendingRequest)) {
            bar(pendingRequest);
        }
        long deadline = pendingRequest.bar == null ? pendingRequest.deadlineNanos : pendingRequest.settleDeadlineNanos;
        if (then - deadline >= 0) {
            fail(pendingRequest, failure, pendingRequest.doubtful ? Effect.UNKNOWN : Effect.NOT_APPLIED);
        } else {
            requestPipeline.resumeAfter(delay, pendingRequest);
        }
    }

    /** A late renewal or clean-up harms nobody: it applies only if the key has not moved on. */
    private static boolean settles(PendingRequest pendingRequest) {
        LeaseRequest leaseRequest = pendingRequest.request;
        return !(leaseRequest instanceof LeaseRequest.Renew
                || leaseRequest instanceof LeaseRequest.CleanUp
                || leaseRequest instanceof LeaseRequest.EvictSilent);
    }

    void bar(PendingRequest pendingRequest) {
        Change doubtful = Objects.requireNonNull(pendingRequest.change);
        if (pendingRequest.bar == null) {
            pendingRequest.attempts = 0;
            pendingRequest.settleDeadlineNanos = requestPipeline.nanos()
                    + requestPipeline.options().settleTimeout().toNanos();
        }
        pendingRequest.bar = requestPipeline
                .book()
                .settlement()
                .bar(doubtful, pendingRequest.expected, requestPipeline.stamp(pendingRequest.floor));
    }

    /** The rules could not be applied to it: a bug, or a value that is beyond all bounds. */
    void undecidable(PendingRequest pendingRequest, Throwable error) {
        log.error("a request for {} could not be decided", pendingRequest.key, error);
        fail(
                pendingRequest,
                StoreException.rejected("the request could not be decided: " + error, error),
                pendingRequest.doubtful ? Effect.UNKNOWN : Effect.NOT_APPLIED);
    }

    /** An earlier write of it may have been applied, and its trace is gone. */
    void unsure(PendingRequest pendingRequest) {
        fail(pendingRequest, givenUp(), Effect.UNKNOWN);
    }

    /** Time is over, and nothing was sent that could have had an effect. Nothing will be: see {@link PendingRequest#expire}. */
    void expiredUnsent(PendingRequest pendingRequest) {
        answerFailed(pendingRequest, givenUp(), Effect.NOT_APPLIED);
    }

    /** Time is over for settling, too. The operation goes on by itself, should the store answer after all. */
    void expiredUnsettled(PendingRequest pendingRequest) {
        answerFailed(pendingRequest, givenUp(), Effect.UNKNOWN);
    }

    private void fail(PendingRequest pendingRequest, StoreException failure, Effect ofLastChange) {
        pendingRequest.settled = true;
        answerFailed(pendingRequest, failure, pendingRequest.uncertain ? Effect.UNKNOWN : ofLastChange);
    }

    private static void answerFailed(PendingRequest pendingRequest, StoreException failure, Effect effect) {
        String known = effect == Effect.UNKNOWN
                ? "the store did not answer in time; the request may have been applied, or may yet be"
                : "the request was not applied";
        StoreException told = failure.about(pendingRequest.key, effect, known + " (" + failure.getMessage() + ")");
        CallbackThread.run(() -> pendingRequest.future.completeExceptionally(told));
    }

    private static StoreException givenUp() {
        return StoreException.notApplied("no answer in time", null);
    }

    private boolean isOver(long deadlineNanos) {
        return requestPipeline.nanos() - deadlineNanos >= 0;
    }

    private static Fence max(Fence a, Fence b) {
        return a.isAbove(b) ? a : b;
    }
}
