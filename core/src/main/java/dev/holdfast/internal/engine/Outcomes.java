package dev.holdfast.internal.engine;

import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.Belief;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreException.Effect;
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
final class Outcomes {
    private static final Logger log = LoggerFactory.getLogger(Outcomes.class);

    /** A store that answers so many times in a row later than the term lasts cannot hold a lease of that term. */
    private static final int LATE_GRANTS = 3;

    private final Engine engine;

    Outcomes(Engine engine) {
        this.engine = engine;
    }

    void answered(List<Operation> operations, List<Change> changes, List<Outcome> outcomes, long asked) {
        Moment now = engine.moment();
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            Change change = changes.get(i);
            Outcome outcome = outcomes.get(i);
            contain(operation, () -> answered(operation, change, outcome, asked, now));
        }
    }

    private void answered(Operation operation, Change change, Outcome outcome, long asked, Moment now) {
        if (outcome instanceof Outcome.Conflict conflict) {
            operation.seen = engine.note(operation.key, conflict.stored(), asked, now.nanos());
            operation.floor = max(operation.floor, conflict.floor());
            conflicted(
                    operation,
                    conflict.stored() == null ? null : conflict.stored().entry(),
                    now);
        } else if (outcome instanceof Outcome.Failed failed) {
            failed(operation, failed.failure());
        } else {
            engine.noteWritten(operation.key, change.next(), asked, now.nanos());
            applied(operation, change, now);
        }
    }

    /** Runs one step of an operation. Trouble of any kind ends this operation, and no other. */
    @SuppressWarnings("IllegalCatch") // Or its caller, and all that share its batch, would wait for ever.
    void contain(Operation operation, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            log.error("a request for {} failed in an unforeseen way", operation.key, e);
            fail(operation, Failures.of(e), Effect.UNKNOWN);
        }
    }

    private void applied(Operation operation, Change change, Moment now) {
        if (operation.bar != null) {
            fail(operation, givenUp(), Effect.NOT_APPLIED);
        } else {
            fulfil(operation, change.next(), now);
        }
        if (change.next() != null && change.next().state() != State.HELD) {
            engine.freed(operation.key);
        }
    }

    private void conflicted(Operation operation, @Nullable Entry current, Moment now) {
        Change change = Objects.requireNonNull(operation.change);
        boolean byFloorAlone = current == null && operation.expected == null;
        if (engine.book().settlement().tookEffect(change, current)) {
            fulfil(operation, current, now);
            return;
        }
        if (operation.bar != null && engine.book().settlement().tookEffect(operation.bar, current)) {
            fail(operation, givenUp(), Effect.NOT_APPLIED);
            return;
        }
        operation.uncertain |= operation.doubtful && !byFloorAlone;
        if (operation.bar != null && byFloorAlone) {
            bar(operation);
            engine.resume(operation);
        } else if (operation.bar != null || (operation.uncertain && !operation.request.repeatsHarmlessly())) {
            // The key has moved on, so the change can no longer apply; but it may have, before.
            fail(operation, givenUp(), Effect.NOT_APPLIED);
        } else {
            decideAnew(operation);
        }
    }

    private void decideAnew(Operation operation) {
        engine.listener().onConflict(operation.key);
        operation.doubtful = false;
        operation.change = null;
        operation.sendAnswered();
        if (isOver(operation.deadlineNanos)) {
            fail(operation, StoreException.notApplied("too many conflicts", null), Effect.NOT_APPLIED);
        } else {
            engine.resume(operation);
        }
    }

    private void fulfil(Operation operation, @Nullable Entry entry, Moment now) {
        Moment firstSent = Objects.requireNonNull(operation.firstSent);
        Moment lastSent = Objects.requireNonNull(operation.lastSent);
        boolean isOver = entry != null && isOver(operation, entry, firstSent, lastSent, now);
        if (isOver && ++operation.lateGrants < LATE_GRANTS) {
            grantAgain(operation);
            return;
        }
        boolean late = isOver
                || (operation.request instanceof Request.Acquire
                        && !engine.book().belief().inTime(now.nanos(), operation.deadlineNanos));
        operation.settled = true;
        if (late || !complete(operation, new Answer.Applied(entry, firstSent, lastSent, now, operation.found))) {
            tooLate(operation, entry);
        }
    }

    /** Whether a grant took so long to be answered that its term, as its holder counts it, is over already. */
    private boolean isOver(Operation operation, Entry entry, Moment firstSent, Moment lastSent, Moment now) {
        Grant grant = entry.grant();
        Belief belief = engine.book().belief();
        boolean isAwaited = !operation.future.isDone() && belief.inTime(now.nanos(), operation.deadlineNanos);
        if (!isAwaited || !(operation.request instanceof Request.Acquire) || grant == null || grant.anchor() != null) {
            return false;
        }
        return belief.remaining(belief.tenure(grant.term(), firstSent, lastSent, now), now)
                .isZero();
    }

    /** Begins its term anew before it is reported: the request, decided again, finds its own grant and renews it. */
    private void grantAgain(Operation operation) {
        operation.uncertain = true; // It was granted: whatever comes now, that it had no effect can no longer be said.
        decideAnew(operation);
    }

    /** Nobody waits for this any more. What was granted is given back; other requests have had their effect. */
    private void tooLate(Operation operation, @Nullable Entry entry) {
        if (operation.request instanceof Request.Acquire && operation.mayGiveBack()) {
            giveBack(Objects.requireNonNull(entry));
        }
        fail(operation, StoreException.notApplied("the answer came too late", null), Effect.UNKNOWN);
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
        Futures.whenDone(engine.submit(key, new Request.GiveBack(grant.token(), grant.beat())), (done, error) -> {
            if (error != null) {
                log.warn("{} was granted too late and not given back; it ends with its term", key, error);
                given.completeExceptionally(Futures.cause(error));
            } else {
                given.complete(null);
            }
        });
        return given;
    }

    boolean complete(Operation operation, Answer answer) {
        engine.listener().onAnswered(operation.key, engine.nanos() - operation.begunNanos);
        return operation.future.complete(answer);
    }

    void failed(List<Operation> operations, StoreException failure) {
        operations.forEach(operation -> contain(operation, () -> failed(operation, failure)));
    }

    private void failed(Operation operation, StoreException failure) {
        if (operation.bar == null) {
            operation.doubtful |= failure.effect() == Effect.UNKNOWN;
        }
        operation.sendAnswered();
        inTrouble(operation, failure);
    }

    /** Tries again later, if that may help. */
    void inTrouble(Operation operation, StoreException failure) {
        if (failure.isRetryable()) {
            retryLater(operation, failure);
        } else {
            fail(operation, failure, operation.doubtful ? Effect.UNKNOWN : Effect.NOT_APPLIED);
        }
    }

    private void retryLater(Operation operation, StoreException failure) {
        engine.listener().onRetry(operation.key, operation.attempts + 1, failure);
        Duration delay = Backoff.RETRY.delay(operation.attempts++, engine.runtime());
        long then = engine.nanos() + delay.toNanos();
        if (operation.bar == null && then - operation.deadlineNanos >= 0 && operation.doubtful && settles(operation)) {
            bar(operation);
        }
        long deadline = operation.bar == null ? operation.deadlineNanos : operation.settleDeadlineNanos;
        if (then - deadline >= 0) {
            fail(operation, failure, operation.doubtful ? Effect.UNKNOWN : Effect.NOT_APPLIED);
        } else {
            engine.resumeAfter(delay, operation);
        }
    }

    /** A late renewal or clean-up harms nobody: it applies only if the key has not moved on. */
    private static boolean settles(Operation operation) {
        Request request = operation.request;
        return !(request instanceof Request.Renew
                || request instanceof Request.CleanUp
                || request instanceof Request.EvictSilent);
    }

    void bar(Operation operation) {
        Change doubtful = Objects.requireNonNull(operation.change);
        if (operation.bar == null) {
            operation.attempts = 0;
            operation.settleDeadlineNanos =
                    engine.nanos() + engine.options().settleTimeout().toNanos();
        }
        operation.bar = engine.book().settlement().bar(doubtful, operation.expected, engine.stamp(operation.floor));
    }

    /** The rules could not be applied to it: a bug, or a value that is beyond all bounds. */
    void undecidable(Operation operation, Throwable error) {
        log.error("a request for {} could not be decided", operation.key, error);
        fail(
                operation,
                StoreException.rejected("the request could not be decided: " + error, error),
                operation.doubtful ? Effect.UNKNOWN : Effect.NOT_APPLIED);
    }

    /** An earlier write of it may have been applied, and its trace is gone. */
    void unsure(Operation operation) {
        fail(operation, givenUp(), Effect.UNKNOWN);
    }

    /** Time is over, and nothing was sent that could have had an effect. Nothing will be: see {@link Operation#expire}. */
    void expiredUnsent(Operation operation) {
        answerFailed(operation, givenUp(), Effect.NOT_APPLIED);
    }

    /** Time is over for settling, too. The operation goes on by itself, should the store answer after all. */
    void expiredUnsettled(Operation operation) {
        answerFailed(operation, givenUp(), Effect.UNKNOWN);
    }

    private void fail(Operation operation, StoreException failure, Effect ofLastChange) {
        operation.settled = true;
        answerFailed(operation, failure, operation.uncertain ? Effect.UNKNOWN : ofLastChange);
    }

    private static void answerFailed(Operation operation, StoreException failure, Effect effect) {
        String known = effect == Effect.UNKNOWN
                ? "the store did not answer in time; the request may have been applied, or may yet be"
                : "the request was not applied";
        StoreException told = failure.about(operation.key, effect, known + " (" + failure.getMessage() + ")");
        Delivery.run(() -> operation.future.completeExceptionally(told));
    }

    private static StoreException givenUp() {
        return StoreException.notApplied("no answer in time", null);
    }

    private boolean isOver(long deadlineNanos) {
        return engine.nanos() - deadlineNanos >= 0;
    }

    private static Fence max(Fence a, Fence b) {
        return a.isAbove(b) ? a : b;
    }
}
