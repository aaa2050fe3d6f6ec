package dev.holdfast.internal.waiting;

import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.internal.CallbackThread;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.pipeline.Answer;
import dev.holdfast.internal.pipeline.Answer.Refused;
import dev.holdfast.internal.pipeline.RetryBackoff;
import dev.holdfast.internal.pipeline.StoreFailures;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.LeaseRequest;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
final class WaitQueue {
    /** Between looks while nothing is heard: soon at first, as most leases are short. */
    private static final RetryBackoff POLL = new RetryBackoff(Duration.ofMillis(25), Duration.ofSeconds(1));
    /** With a store that tells of releases a look is only a safety net. */
    private static final RetryBackoff NOTIFIED_POLL = new RetryBackoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

    private final WaitEnvironment environment;
    private final Key key;
    private final WaitQueues lines;
    private final Deque<WaitingRequest> waiters = new ArrayDeque<>();
    private final WakeUpWatch watch;

    private @Nullable Refused lastRefusal;
    private @Nullable CompletableFuture<Answer> attempt;
    private boolean lookAgain;
    private int looks;
    private HostEnvironment.@Nullable Timer nextLook;
    private boolean closed;

    WaitQueue(WaitEnvironment environment, Key key, WaitQueues lines) {
        this.environment = environment;
        this.key = key;
        this.lines = lines;
        this.watch = new WakeUpWatch(environment.notifier(), lines, this);
    }

    synchronized void join(WaitingRequest waitingRequest) {
        waiters.add(waitingRequest);
    }

    /** Starts the waiter's clock, and makes the line look. */
    void admit(WaitingRequest waitingRequest) {
        scheduleDeadline(waitingRequest, waitingRequest.deadlineNanos);
        Futures.whenDone(waitingRequest.future, (answer, error) -> leave(waitingRequest));
        watch.key(key);
        wake();
    }

    private void scheduleDeadline(WaitingRequest waitingRequest, long nanos) {
        Duration left = Duration.ofNanos(Math.max(0, nanos - environment.nanos()));
        waitingRequest.deadline = environment
                .clock()
                .environment()
                .schedule(left, () -> CallbackThread.run(() -> deadlineReached(waitingRequest)));
    }

    synchronized boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** Looks now, or right after the look that is under way. */
    void wake() {
        WaitingRequest first;
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
        CompletableFuture<Answer> answer = Futures.contain(
                () -> environment.submitter().submit(key, first.request, attemptDeadline(first), first.writes));
        // Whoever leaves while trying cancels the attempt, so that a grant that comes all the same is given back.
        Futures.whenDone(trying, (done, cancelled) -> answer.cancel(false));
        Futures.whenDone(answer, (got, error) -> CallbackThread.run(() -> tried(first, got, error)));
    }

    /**
     * Has the holder give way to the first in line, both by one write. Null if nobody is there to take it, or if he is
     * trying already: then a release is what he needs.
     */
    @Nullable
    CompletableFuture<Answer> handOver(Token from) {
        WaitingRequest first;
        synchronized (this) {
            first = waiters.peek();
            if (attempt != null || first == null || first.future.isDone() || isOver(first)) {
                return null;
            }
            cancelNextLook();
            attempt = new CompletableFuture<>();
        }
        CompletableFuture<Answer> released = new CompletableFuture<>();
        LeaseRequest.HandOver request = new LeaseRequest.HandOver(from, first.request);
        long deadlineNanos = attemptDeadline(first);
        Futures.whenDone(
                Futures.contain(() -> environment
                        .submitter()
                        .submit(key, request, environment.nanos() + environment.operationTimeoutNanos(), first.writes)),
                (got, error) -> CallbackThread.run(() -> {
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
    private void handedOver(
            WaitingRequest first, @Nullable Answer answer, @Nullable Throwable error, long deadlineNanos) {
        boolean inTime = environment.validity().inTime(environment.nanos(), deadlineNanos);
        synchronized (this) {
            lookAgain |= !(answer instanceof Answer.Applied); // There was nothing to hand over, or nobody knows.
        }
        first.uncertain |= answer != null && answer.mayHaveHadEffect();
        if (answer instanceof Answer.Applied granted && !inTime) {
            if (!first.writes.isDelivered()) {
                environment.undelivered().release(granted);
            }
            tried(first, null, StoreException.unknown("no answer in time", null));
        } else {
            tried(first, answer instanceof Answer.Applied ? answer : null, error);
        }
    }

    /** Waiting is bounded by the waiter; the first answer of the store is given the time that any request has. */
    private synchronized long attemptDeadline(WaitingRequest waitingRequest) {
        return isAnswered(waitingRequest, lastRefusal)
                ? waitingRequest.deadlineNanos
                : waitingRequest.lastDeadlineNanos;
    }

    private void tried(WaitingRequest first, @Nullable Answer answer, @Nullable Throwable error) {
        List<WaitingRequest> refused = new ArrayList<>();
        List<WaitingRequest> returned = new ArrayList<>();
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
            refused.forEach(waitingRequest -> waitingRequest.future.complete(refusal));
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

    private void failed(WaitingRequest first, Throwable error) {
        if (!(Futures.cause(error) instanceof StoreException)) {
            first.future.completeExceptionally(Futures.cause(error));
            return;
        }
        StoreException failure = StoreFailures.of(error);
        Refused refusal = lastAnswer(first);
        if (isWorthRetrying(first, failure)) {
            return;
        }
        if (refusal != null
                && !isHeldBy(refusal, first)
                && isOver(first)
                && failure.effect() == StoreException.Effect.NOT_APPLIED) {
            first.future.complete(refusal.at(environment.nanos())); // The wait is over, and ended with the key held.
        } else {
            first.fail(failure);
        }
    }

    /** The last refusal, if the store was asked for it after the waiter came; else null. */
    private synchronized @Nullable Refused lastAnswer(WaitingRequest waitingRequest) {
        return isAnswered(waitingRequest, lastRefusal) ? lastRefusal : null;
    }

    /** Whether whoever stands in line holds the key himself: he asks again, as he did not hear the answer. */
    private static boolean isHeldBy(Refused refusal, WaitingRequest waitingRequest) {
        return refusal.refusal() instanceof Decision.Held held && held.token().equals(waitingRequest.request.token());
    }

    /** If it is not granted again, because it was lost at this very moment, the waiter goes on waiting. */
    private void tellAgain(WaitingRequest waitingRequest) {
        waitingRequest.uncertain = true;
        Entry seen = environment.lastSeen(key);
        Grant grant = seen != null && seen.isHeldBy(waitingRequest.request.token()) ? seen.grant() : null;
        waitingRequest.unheard = grant != null && waitingRequest.writes.made(grant.beat()) ? seen : null;
        CompletableFuture<Answer> asked = Futures.contain(() -> environment
                .submitter()
                .submit(key, waitingRequest.request, waitingRequest.lastDeadlineNanos, waitingRequest.writes));
        Futures.whenDone(asked, (answer, error) -> {
            if (answer instanceof Answer.Applied granted) {
                CallbackThread.run(() -> tell(waitingRequest, granted));
            }
        });
    }

    private void tell(WaitingRequest waitingRequest, Answer.Applied granted) {
        synchronized (this) {
            // Before it is told: it may release at once, and must not be handed its own lease.
            waiters.remove(waitingRequest);
        }
        waitingRequest.unheard = null;
        boolean first = waitingRequest.writes.deliver();
        if (!waitingRequest.future.complete(granted) && first) {
            environment.undelivered().release(granted); // It left at this very moment.
        }
    }

    private boolean isWorthRetrying(WaitingRequest waitingRequest, StoreException failure) {
        return failure.isRetryable()
                && failure.effect() == StoreException.Effect.NOT_APPLIED
                && !isOver(waitingRequest);
    }

    private void planNextLook() {
        boolean now;
        synchronized (this) {
            now = lookAgain;
            lookAgain = false;
            if (!now && !closed && attempt == null && !waiters.isEmpty()) {
                cancelNextLook();
                nextLook = environment.clock().environment().schedule(untilNextLook(), this::wake);
            }
        }
        if (now) {
            wake();
        }
    }

    private Duration untilNextLook() {
        boolean notified = environment.notifier().isPresent();
        Duration poll = (notified ? NOTIFIED_POLL : POLL)
                .delay(looks++, environment.clock().environment());
        if (lastRefusal == null || !(lastRefusal.refusal() instanceof Decision.Held held)) {
            return poll;
        }
        // A little after, and not all at once: others wait for the same moment.
        Duration expiry = held.remaining()
                .plusMillis(1 + (long) (environment.clock().environment().random() * 10));
        return expiry.compareTo(poll) < 0 ? expiry : poll;
    }

    private void deadlineReached(WaitingRequest waitingRequest) {
        if (!isOver(waitingRequest)) {
            scheduleDeadline(waitingRequest, waitingRequest.deadlineNanos); // The timer was early.
            return;
        }
        Refused refusal = lastAnswer(waitingRequest);
        if (refusal != null && !isHeldBy(refusal, waitingRequest)) {
            waitingRequest.future.complete(refusal.at(environment.nanos()));
        } else if (waitingRequest.lastDeadlineNanos - environment.nanos() > 0) {
            // The store has not said a word yet. The next answer is for this waiter too.
            scheduleDeadline(waitingRequest, waitingRequest.lastDeadlineNanos);
        } else if (!isTrying(waitingRequest)) {
            waitingRequest.fail(StoreException.notApplied("no answer from the store while waiting for " + key, null));
        }
    }

    private synchronized boolean isTrying(WaitingRequest waitingRequest) {
        return attempt != null && waiters.peek() == waitingRequest;
    }

    /** Whether a refusal ends the wait: nothing will change it, or the time is over. */
    private boolean isFinal(Refused refusal, WaitingRequest waitingRequest) {
        return isAnswered(waitingRequest, refusal)
                && (refusal.refusal() instanceof Decision.Finished || isOver(waitingRequest));
    }

    private boolean isOver(WaitingRequest waitingRequest) {
        return !environment.validity().inTime(environment.nanos(), waitingRequest.deadlineNanos);
    }

    private boolean isAnswered(WaitingRequest waitingRequest, @Nullable Refused refusal) {
        return refusal != null && environment.validity().mayRefuse(waitingRequest.begun, refusal.asked());
    }

    private void leave(WaitingRequest waitingRequest) {
        CompletableFuture<Answer> abandoned = null;
        synchronized (this) {
            if (waiters.peek() == waitingRequest) {
                abandoned = attempt;
            }
            waiters.remove(waitingRequest);
            looks = 0;
        }
        HostEnvironment.Timer timer = waitingRequest.deadline;
        if (timer != null) {
            timer.cancel();
        }
        if (abandoned != null) {
            abandoned.cancel(false);
        }
        Entry unheard = waitingRequest.unheard;
        if (unheard != null && !waitingRequest.writes.isDelivered()) {
            CompletionStage<Void> unused = environment.undelivered().release(unheard);
        }
        lines.dropIfEmpty(this, key);
    }

    void failAll(RuntimeException reason) {
        List<WaitingRequest> leaving;
        synchronized (this) {
            leaving = List.copyOf(waiters);
        }
        CallbackThread.run(
                () -> leaving.forEach(waitingRequest -> waitingRequest.future.completeExceptionally(reason)));
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
