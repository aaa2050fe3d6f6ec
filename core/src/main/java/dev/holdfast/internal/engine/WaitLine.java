package dev.holdfast.internal.engine;

import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Answer.Refused;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.AnchorRef;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Those of this process who wait for one key, first come, first served. Only the first in line tries; the rest cost
 * nothing.
 *
 * <p>The next look is planned from what the last refusal said: when the holder's term will have run out. A release may
 * come earlier. One in this process, and one that the store tells of, wakes the line at once; for others the line looks
 * again at growing intervals. A newcomer makes the line look at once, so that all in it have an answer younger than
 * their question.
 *
 * <p>The lock guards the fields and is never held while calling out.
 */
final class WaitLine {
    /** Between looks while nothing is heard: soon at first, as most leases are short. */
    private static final Backoff POLL = new Backoff(Duration.ofMillis(25), Duration.ofSeconds(1));
    /** With a store that tells of releases a look is only a safety net. */
    private static final Backoff NOTIFIED_POLL = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

    private final Engine engine;
    private final Key key;
    private final WaitLines lines;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private final LineWatch watch;

    private @Nullable Refused lastRefusal;
    private @Nullable CompletableFuture<Answer> attempt;
    private boolean lookAgain;
    private int looks;
    private Runtime.@Nullable Timer nextLook;
    private boolean closed;

    WaitLine(Engine engine, Key key, WaitLines lines) {
        this.engine = engine;
        this.key = key;
        this.lines = lines;
        this.watch = new LineWatch(engine, lines, this);
    }

    synchronized void join(Waiter waiter) {
        waiters.add(waiter);
    }

    /** Starts the waiter's clock, and makes the line look. */
    void admit(Waiter waiter) {
        scheduleDeadline(waiter, waiter.deadlineNanos);
        Futures.whenDone(waiter.future, (answer, error) -> leave(waiter));
        watch.key(key);
        wake();
    }

    private void scheduleDeadline(Waiter waiter, long nanos) {
        Duration left = Duration.ofNanos(Math.max(0, nanos - engine.nanos()));
        waiter.deadline = engine.runtime().schedule(left, () -> Delivery.run(() -> deadlineReached(waiter)));
    }

    synchronized boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** Looks now, or right after the look that is under way. */
    void wake() {
        Waiter first;
        CompletableFuture<Answer> trying = new CompletableFuture<>();
        synchronized (this) {
            if (attempt != null) {
                lookAgain = true;
                return;
            }
            first = waiters.peek();
            if (first == null) {
                return;
            }
            cancelNextLook();
            attempt = trying;
        }
        CompletableFuture<Answer> answer =
                Futures.contain(() -> engine.submit(key, first.request, attemptDeadline(first), first.writes));
        // Whoever leaves while trying cancels the attempt, so that a grant that comes all the same is given back.
        Futures.whenDone(trying, (done, cancelled) -> answer.cancel(false));
        Futures.whenDone(answer, (got, error) -> Delivery.run(() -> tried(first, got, error)));
    }

    /**
     * Has the holder give way to the first in line, both by one write. Null if nobody is there to take it, or if he is
     * trying already: then a release is what he needs.
     */
    @Nullable
    CompletableFuture<Answer> handOver(Token from) {
        Waiter first;
        synchronized (this) {
            first = waiters.peek();
            if (attempt != null || first == null || first.future.isDone() || isOver(first)) {
                return null;
            }
            cancelNextLook();
            attempt = new CompletableFuture<>();
        }
        CompletableFuture<Answer> released = new CompletableFuture<>();
        Request.HandOver request = new Request.HandOver(from, first.request);
        long deadlineNanos = attemptDeadline(first);
        Futures.whenDone(
                Futures.contain(() ->
                        engine.submit(key, request, engine.nanos() + engine.operationTimeoutNanos(), first.writes)),
                (got, error) -> Delivery.run(() -> {
                    handedOver(first, got, error, deadlineNanos);
                    if (got != null) {
                        released.complete(got);
                    } else {
                        released.completeExceptionally(Futures.cause(Objects.requireNonNull(error)));
                    }
                }));
        return released;
    }

    /** What was released in time may have been granted too late: the one who releases has longer than the waiter. */
    private void handedOver(Waiter first, @Nullable Answer answer, @Nullable Throwable error, long deadlineNanos) {
        boolean inTime = engine.book().belief().inTime(engine.nanos(), deadlineNanos);
        synchronized (this) {
            lookAgain |= !(answer instanceof Answer.Applied); // There was nothing to hand over, or nobody knows.
        }
        first.uncertain |= answer != null && answer.mayHaveHadEffect();
        if (answer instanceof Answer.Applied granted && !inTime) {
            if (!first.writes.isDelivered()) {
                engine.giveBack(granted);
            }
            tried(first, null, StoreException.unknown("no answer in time", null));
        } else {
            tried(first, answer instanceof Answer.Applied ? answer : null, error);
        }
    }

    /** Waiting is bounded by the waiter; the first answer of the store is given the time that any request has. */
    private synchronized long attemptDeadline(Waiter waiter) {
        return isAnswered(waiter, lastRefusal) ? waiter.deadlineNanos : waiter.lastDeadlineNanos;
    }

    private void tried(Waiter first, @Nullable Answer answer, @Nullable Throwable error) {
        List<Waiter> refused = new ArrayList<>();
        List<Waiter> returned = new ArrayList<>();
        synchronized (this) {
            attempt = null;
            if (answer instanceof Refused refusal) {
                lastRefusal = refusal;
                waiters.stream().filter(it -> isHeldBy(refusal, it)).forEach(returned::add);
                waiters.stream()
                        .filter(it -> isFinal(refusal, it) && !returned.contains(it))
                        .forEach(refused::add);
            }
        }
        if (answer instanceof Refused refusal) {
            first.uncertain |= refusal.uncertain();
            refused.forEach(waiter -> waiter.future.complete(refusal));
            returned.forEach(this::tellAgain);
            watchAnchor(refusal);
        } else if (answer instanceof Answer.Applied granted) {
            // The first in line is granted; what is next in line waits for this grant to end.
            tell(first, granted);
        } else if (error != null) {
            failed(first, error);
        }
        planNextLook();
    }

    /** The anchor may have ended between the refusal and this. So a line that begins to watch one looks again. */
    private void watchAnchor(Refused refusal) {
        AnchorRef through = refusal.refusal() instanceof Decision.Held held ? held.through() : null;
        if (watch.anchor(through == null ? null : through.key())) {
            synchronized (this) {
                lookAgain = true;
            }
        }
    }

    private void failed(Waiter first, Throwable error) {
        if (!(Futures.cause(error) instanceof StoreException)) {
            first.future.completeExceptionally(Futures.cause(error));
            return;
        }
        StoreException failure = Failures.of(error);
        Refused refusal = lastAnswer(first);
        if (isWorthRetrying(first, failure)) {
            return;
        }
        if (refusal != null
                && !isHeldBy(refusal, first)
                && isOver(first)
                && failure.effect() == StoreException.Effect.NOT_APPLIED) {
            first.future.complete(refusal.at(engine.nanos())); // The wait is over, and ended with the key held.
        } else {
            first.fail(failure);
        }
    }

    /** The last refusal, if the store was asked for it after the waiter came; else null. */
    private synchronized @Nullable Refused lastAnswer(Waiter waiter) {
        return isAnswered(waiter, lastRefusal) ? lastRefusal : null;
    }

    /** Whether whoever stands in line holds the key himself: he asks again, as he did not hear the answer. */
    private static boolean isHeldBy(Refused refusal, Waiter waiter) {
        return refusal.refusal() instanceof Decision.Held held && held.token().equals(waiter.request.token());
    }

    /** If it is not granted again, because it was lost at this very moment, the waiter goes on waiting. */
    private void tellAgain(Waiter waiter) {
        waiter.uncertain = true;
        Entry seen = engine.lastSeen(key);
        Grant grant = seen != null && seen.isHeldBy(waiter.request.token()) ? seen.grant() : null;
        waiter.unheard = grant != null && waiter.writes.made(grant.beat()) ? seen : null;
        CompletableFuture<Answer> asked =
                Futures.contain(() -> engine.submit(key, waiter.request, waiter.lastDeadlineNanos, waiter.writes));
        Futures.whenDone(asked, (answer, error) -> {
            if (answer instanceof Answer.Applied granted) {
                Delivery.run(() -> tell(waiter, granted));
            }
        });
    }

    private void tell(Waiter waiter, Answer.Applied granted) {
        synchronized (this) {
            // Before it is told: it may release at once, and must not be handed its own lease.
            waiters.remove(waiter);
        }
        waiter.unheard = null;
        boolean first = waiter.writes.deliver();
        if (!waiter.future.complete(granted) && first) {
            engine.giveBack(granted); // It left at this very moment.
        }
    }

    private boolean isWorthRetrying(Waiter waiter, StoreException failure) {
        return failure.isRetryable() && failure.effect() == StoreException.Effect.NOT_APPLIED && !isOver(waiter);
    }

    private void planNextLook() {
        boolean now;
        synchronized (this) {
            now = lookAgain;
            lookAgain = false;
            if (!now && !closed && attempt == null && !waiters.isEmpty()) {
                cancelNextLook();
                nextLook = engine.runtime().schedule(untilNextLook(), this::wake);
            }
        }
        if (now) {
            wake();
        }
    }

    private Duration untilNextLook() {
        boolean notified = engine.port().notifier().isPresent();
        Duration poll = (notified ? NOTIFIED_POLL : POLL).delay(looks++, engine.runtime());
        if (lastRefusal == null || !(lastRefusal.refusal() instanceof Decision.Held held)) {
            return poll;
        }
        // A little after, and not all at once: others wait for the same moment.
        Duration expiry =
                held.remaining().plusMillis(1 + (long) (engine.runtime().random() * 10));
        return expiry.compareTo(poll) < 0 ? expiry : poll;
    }

    private void deadlineReached(Waiter waiter) {
        if (!isOver(waiter)) {
            scheduleDeadline(waiter, waiter.deadlineNanos); // The timer was early.
            return;
        }
        Refused refusal = lastAnswer(waiter);
        if (refusal != null && !isHeldBy(refusal, waiter)) {
            waiter.future.complete(refusal.at(engine.nanos()));
        } else if (waiter.lastDeadlineNanos - engine.nanos() > 0) {
            // The store has not said a word yet. The next answer is for this waiter too.
            scheduleDeadline(waiter, waiter.lastDeadlineNanos);
        } else if (!isTrying(waiter)) {
            waiter.fail(StoreException.notApplied("no answer from the store while waiting for " + key, null));
        }
    }

    private synchronized boolean isTrying(Waiter waiter) {
        return attempt != null && waiters.peek() == waiter;
    }

    /** Whether a refusal ends the wait: nothing will change it, or the time is over. */
    private boolean isFinal(Refused refusal, Waiter waiter) {
        return isAnswered(waiter, refusal) && (refusal.refusal() instanceof Decision.Finished || isOver(waiter));
    }

    private boolean isOver(Waiter waiter) {
        return !engine.book().belief().inTime(engine.nanos(), waiter.deadlineNanos);
    }

    private boolean isAnswered(Waiter waiter, @Nullable Refused refusal) {
        return refusal != null && engine.book().belief().mayRefuse(waiter.begun, refusal.asked());
    }

    private void leave(Waiter waiter) {
        CompletableFuture<Answer> abandoned = null;
        synchronized (this) {
            if (waiters.peek() == waiter) {
                abandoned = attempt;
            }
            waiters.remove(waiter);
            looks = 0;
        }
        Runtime.Timer timer = waiter.deadline;
        if (timer != null) {
            timer.cancel();
        }
        if (abandoned != null) {
            abandoned.cancel(false);
        }
        Entry unheard = waiter.unheard;
        if (unheard != null && !waiter.writes.isDelivered()) {
            engine.giveBack(unheard);
        }
        lines.dropIfEmpty(this, key);
    }

    void failAll(RuntimeException reason) {
        List<Waiter> leaving;
        synchronized (this) {
            leaving = List.copyOf(waiters);
        }
        Delivery.run(() -> leaving.forEach(waiter -> waiter.future.completeExceptionally(reason)));
    }

    /** Ends the line; whoever comes later starts a new one. */
    void close() {
        synchronized (this) {
            closed = true;
            cancelNextLook();
        }
        watch.close();
    }

    private void cancelNextLook() {
        if (nextLook != null) {
            nextLook.cancel();
            nextLook = null;
        }
    }
}
