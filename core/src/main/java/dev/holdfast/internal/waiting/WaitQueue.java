package dev.holdfast.internal.waiting;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.explanation.WaitingLine;
import dev.holdfast.internal.pipeline.StoreFailures;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.SuccessionRules;
import dev.holdfast.service.Answer;
import dev.holdfast.service.Answer.Refused;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import dev.holdfast.support.RetryBackoff;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this process that wait for one key, served in order of arrival. Only the first request attempts to
 * acquire; the others cause no store calls.
 *
 * <p>The next attempt is scheduled for when the holder's term will have expired, as the last refusal said. A release
 * may come earlier: one in this process, or one that the store reports, wakes the queue immediately. To notice other
 * releases, the queue attempts again at growing intervals. A new request makes the queue attempt immediately, so every
 * request in it gets an answer to an attempt that was sent after the request arrived.
 *
 * <p>The lock guards the fields and is never held while calling out.
 */
final class WaitQueue {
    /** Between attempts while no notification comes: short at first, as most leases are short. */
    private static final RetryBackoff POLL = new RetryBackoff(Duration.ofMillis(25), Duration.ofSeconds(1));
    /** With a store that reports releases, these attempts are only a safety net. */
    private static final RetryBackoff NOTIFIED_POLL = new RetryBackoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

    private final WaitEnvironment environment;
    private final Key key;
    private final WaitQueues queues;
    private final Deque<WaitingRequest> waiters = new ArrayDeque<>();
    private final WakeUpWatch watch;
    private final HandOverQuota quota;

    private @Nullable Refused lastRefusal;
    /** How long the key is reserved for another holder, as the last attempt found; null if it is not. */
    private @Nullable Duration courtesy;

    private @Nullable CompletableFuture<Answer> attempt;
    private boolean attemptAgain;
    private int attempts;
    private HostEnvironment.@Nullable Timer nextAttempt;
    private boolean closed;

    WaitQueue(WaitEnvironment environment, Key key, WaitQueues queues) {
        this.environment = environment;
        this.key = key;
        this.queues = queues;
        this.watch = new WakeUpWatch(environment.notifier(), queues, this);
        this.quota = new HandOverQuota(environment.nanos());
    }

    synchronized void join(WaitingRequest waitingRequest) {
        waiters.add(waitingRequest);
    }

    /** Starts the deadline of a request, and makes the queue attempt to acquire. */
    void admit(WaitingRequest waitingRequest, boolean callerWaits) {
        scheduleDeadline(waitingRequest, waitingRequest.deadlineNanos);
        Futures.whenDone(waitingRequest.future, (answer, error) -> leave(waitingRequest, answer));
        watch.key(key);
        attemptFirst(callerWaits ? waitingRequest : null);
    }

    private void scheduleDeadline(WaitingRequest waitingRequest, long nanos) {
        Duration left = Duration.ofNanos(Math.max(0, nanos - environment.nanos()));
        waitingRequest.deadline = environment
                .clock()
                .environment()
                .schedule(left, () -> CallbackThread.run(() -> deadlineReached(waitingRequest)));
    }

    /** The requests in their order. */
    synchronized WaitingLine line() {
        long nowNanos = environment.nanos();
        List<WaitingLine.WaitingClient> first = waiters.stream()
                .limit(WaitingLine.SHOWN)
                .map(it -> new WaitingLine.WaitingClient(
                        it.request.holder(),
                        Duration.ofNanos(nowNanos - it.begunNanos),
                        Duration.ofNanos(Math.max(0, it.deadlineNanos - nowNanos))))
                .toList();
        return new WaitingLine(waiters.size(), first);
    }

    /** How many requests wait, and for how long the first of them has waited. */
    synchronized LineLength length() {
        WaitingRequest first = waiters.peek();
        return new LineLength(waiters.size(), first == null ? 0 : environment.nanos() - first.begunNanos);
    }

    /** The length of a line. */
    record LineLength(int requests, long longestNanos) implements Comparable<LineLength> {
        @Override
        public int compareTo(LineLength other) {
            int byRequests = Integer.compare(requests, other.requests);
            return byRequests != 0 ? byRequests : Long.compare(longestNanos, other.longestNanos);
        }
    }

    synchronized boolean isEmpty() {
        return waiters.isEmpty();
    }

    /** Attempts to acquire now, or right after the attempt that is under way. */
    void wake() {
        attemptFirst(null);
    }

    /**
     * Like {@link #wake}, after the store noticed that a watched key is not held.
     *
     * @param found its entry; null if the store did not read it. It saves the read before the write.
     */
    void freed(Key freed, @Nullable Entry found) {
        if (found != null && freed.equals(key)) {
            environment.cache().noteFreed(found, environment.clock().nextPlace(), environment.nanos());
        }
        wake();
    }

    /** Like {@link #wake}, after a release in this process. */
    void released() {
        synchronized (this) {
            quota.released(environment.nanos());
        }
        wake();
    }

    /** A request yields to another holder only if it has time to wait until that courtesy is over. */
    private LeaseRequest.Acquire yielding(WaitingRequest waitingRequest) {
        long leftNanos = waitingRequest.deadlineNanos - environment.nanos();
        return waitingRequest.request.yielding(leftNanos > 2 * SuccessionRules.COURTESY.toNanos());
    }

    /** @param waitedFor the request that this thread waits for; null if it waits for none */
    private void attemptFirst(@Nullable WaitingRequest waitedFor) {
        WaitingRequest first;
        CompletableFuture<Answer> attempting = new CompletableFuture<>();
        synchronized (this) {
            if (attempt != null) {
                attemptAgain = true;
                return;
            }
            first = waiters.peek();
            if (first == null) {
                return;
            }
            cancelNextAttempt();
            long pauseNanos = quota.pauseLeftNanos(environment.nanos());
            if (pauseNanos > 0) {
                nextAttempt = environment.clock().environment().schedule(Duration.ofNanos(pauseNanos), this::wake);
                return;
            }
            attempt = attempting;
        }
        CompletableFuture<Answer> answer = Futures.contain(() -> environment
                .submitter()
                .submit(key, yielding(first), attemptDeadline(first), first.writes, first == waitedFor));
        // A request that leaves during its attempt cancels the attempt. A grant that comes nevertheless is released.
        Futures.whenDone(attempting, (done, cancelled) -> answer.cancel(false));
        Futures.whenDone(
                answer,
                (got, error) -> CallbackThread.run(() -> {
                    countTurns(first, got);
                    attempted(first, got, error);
                }));
    }

    private synchronized void countTurns(WaitingRequest first, @Nullable Answer answer) {
        if (answer instanceof Answer.Applied) {
            quota.regained();
            quota.granted(first.request.token());
        } else if (answer instanceof Refused refusal && refusal.refusal() instanceof Decision.Held held) {
            quota.heldBy(held.token());
        }
    }

    /**
     * Releases a lease and grants the key to the first request of the queue, or to the holder that the release names,
     * both by one write. Returns null if no such request can take the key, if one is attempting already, or if it is
     * the turn of another process: then a plain release serves it.
     */
    @Nullable
    CompletableFuture<Answer> handOver(LeaseRequest.Release release, boolean callerWaits) {
        WaitingRequest first;
        synchronized (this) {
            if (attempt != null || (release.next() != null && !prefer(release.next()))) {
                return null;
            }
            first = waiters.peek();
            if (first == null || first.future.isDone() || isOver(first)) {
                return null;
            }
            if (release.next() == null && !quota.allowsNext(environment.nanos())) {
                return null;
            }
            cancelNextAttempt();
            attempt = new CompletableFuture<>();
        }
        CompletableFuture<Answer> released = new CompletableFuture<>();
        LeaseRequest.HandOver request = new LeaseRequest.HandOver(release.token(), first.request);
        long deadlineNanos = attemptDeadline(first);
        long releaseNanos = environment.nanos() + environment.operationTimeoutNanos();
        Futures.whenDone(
                Futures.contain(
                        () -> environment.submitter().submit(key, request, releaseNanos, first.writes, callerWaits)),
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

    /**
     * Moves the first request of {@code holder} to the front. Called with the lock, and while none is attempting.
     *
     * @return false if none of its requests waits here
     */
    private boolean prefer(Holder holder) {
        WaitingRequest preferred = waiters.stream()
                .filter(it -> it.request.holder().equals(holder) && !it.future.isDone())
                .findFirst()
                .orElse(null);
        if (preferred == null) {
            return false;
        }
        waiters.remove(preferred);
        waiters.addFirst(preferred);
        return true;
    }

    /**
     * The release may be in time and the grant too late: the releasing caller has a later deadline than the waiting
     * request.
     */
    private void handedOver(
            WaitingRequest first, @Nullable Answer answer, @Nullable Throwable error, long deadlineNanos) {
        boolean inTime = environment.validity().inTime(environment.nanos(), deadlineNanos);
        synchronized (this) {
            if (answer instanceof Answer.Applied) {
                quota.granted(first.request.token());
            } else {
                attemptAgain = true; // Nothing was handed over, or the outcome is unknown.
            }
        }
        first.uncertain |= answer != null && answer.mayHaveHadEffect();
        if (answer instanceof Answer.Applied granted && !inTime) {
            if (!first.writes.isDelivered()) {
                CompletableFuture<Void> unused = environment.releaser().release(granted);
            }
            attempted(first, null, StoreException.unknown("no answer in time", null));
        } else {
            attempted(first, answer instanceof Answer.Applied ? answer : null, error);
        }
    }

    /** The caller bounds the wait for the holder. The first answer of the store gets the time that any request has. */
    private synchronized long attemptDeadline(WaitingRequest waitingRequest) {
        return isAnswered(waitingRequest, lastRefusal)
                ? waitingRequest.deadlineNanos
                : waitingRequest.lastDeadlineNanos;
    }

    private void attempted(WaitingRequest first, @Nullable Answer answer, @Nullable Throwable error) {
        List<WaitingRequest> refused = new ArrayList<>();
        List<WaitingRequest> returned = new ArrayList<>();
        synchronized (this) {
            attempt = null;
            courtesy = null;
            if (answer instanceof Refused refusal && !(refusal.refusal() instanceof Decision.Finished)) {
                waiters.forEach(it -> it.waited = true);
            }
            if (answer instanceof Refused yielded && yielded.refusal() instanceof Decision.Reserved reserved) {
                courtesy = reserved.remaining();
                attemptAgain |= prefer(reserved.next());
            } else if (answer instanceof Refused refusal) {
                lastRefusal = refusal;
                waiters.stream().filter(it -> isHeldBy(refusal, it)).forEach(returned::add);
                waiters.stream()
                        .filter(it -> isFinal(refusal, it) && !returned.contains(it))
                        .forEach(refused::add);
            }
        }
        if (answer instanceof Refused refusal && refusal.refusal() instanceof Decision.Reserved) {
            first.uncertain |= refusal.uncertain();
        } else if (answer instanceof Refused refusal) {
            first.uncertain |= refusal.uncertain();
            refused.forEach(waitingRequest -> waitingRequest.future.complete(refusal));
            returned.forEach(this::submitAgain);
            watchAnchor(refusal);
        } else if (answer instanceof Answer.Applied granted) {
            // The first request is granted. The next one waits for this grant to end.
            deliver(first, granted);
        } else if (error != null) {
            failed(first, error);
        }
        scheduleNextAttempt();
    }

    /**
     * Attempts again if the queue was not watching this anchor: it may have ended between the refusal and this call.
     */
    private void watchAnchor(Refused refusal) {
        AnchorRef through = refusal.refusal() instanceof Decision.Held held ? held.through() : null;
        if (watch.anchor(through == null ? null : through.key())) {
            synchronized (this) {
                attemptAgain = true;
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
            first.future.complete(refusal.at(environment.nanos())); // The wait is over, and the key is still held.
        } else {
            first.fail(failure);
        }
    }

    /** The last refusal, if its question was sent to the store after the request arrived; else null. */
    private synchronized @Nullable Refused lastAnswer(WaitingRequest waitingRequest) {
        return isAnswered(waitingRequest, lastRefusal) ? lastRefusal : null;
    }

    /** Whether the waiting request holds the key itself: its caller repeats it, as it did not receive the answer. */
    private static boolean isHeldBy(Refused refusal, WaitingRequest waitingRequest) {
        return refusal.refusal() instanceof Decision.Held held && held.token().equals(waitingRequest.request.token());
    }

    /**
     * Submits a request again that holds the key already. If that grant was lost at this very moment, the request
     * continues to wait.
     */
    private void submitAgain(WaitingRequest waitingRequest) {
        waitingRequest.uncertain = true;
        Entry seen = environment.cache().entry(key);
        waitingRequest.undelivered = seen != null
                        && seen.isHeldBy(waitingRequest.request.token())
                        && waitingRequest.writes.made(seen)
                ? seen
                : null;
        CompletableFuture<Answer> resubmitted = Futures.contain(() -> environment
                .submitter()
                .submit(key, waitingRequest.request, waitingRequest.lastDeadlineNanos, waitingRequest.writes, false));
        Futures.whenDone(resubmitted, (answer, error) -> {
            if (answer instanceof Answer.Applied granted) {
                CallbackThread.run(() -> deliver(waitingRequest, granted));
            }
        });
    }

    private void deliver(WaitingRequest waitingRequest, Answer.Applied granted) {
        synchronized (this) {
            // Before its caller is notified: the caller may release immediately, and must not be handed its own lease.
            waiters.remove(waitingRequest);
        }
        waitingRequest.undelivered = null;
        boolean first = waitingRequest.writes.deliver();
        if (!waitingRequest.future.complete(granted) && first) {
            CompletableFuture<Void> unused = environment.releaser().release(granted); // The caller has just left.
        }
    }

    private boolean isWorthRetrying(WaitingRequest waitingRequest, StoreException failure) {
        return failure.isRetryable()
                && failure.effect() == StoreException.Effect.NOT_APPLIED
                && !isOver(waitingRequest);
    }

    private void scheduleNextAttempt() {
        boolean now;
        synchronized (this) {
            now = attemptAgain;
            attemptAgain = false;
            if (!now && !closed && attempt == null && !waiters.isEmpty()) {
                cancelNextAttempt();
                nextAttempt = environment.clock().environment().schedule(untilNextAttempt(), this::wake);
            }
        }
        if (now) {
            wake();
        }
    }

    private Duration untilNextAttempt() {
        if (courtesy != null) {
            return courtesy;
        }
        boolean notified = environment.notifier().isPresent();
        Duration poll = (notified ? NOTIFIED_POLL : POLL)
                .delay(attempts++, environment.clock().environment());
        if (lastRefusal == null || !(lastRefusal.refusal() instanceof Decision.Held held)) {
            return poll;
        }
        // Slightly later, and at a random moment: other processes wait for the same expiry.
        Duration expiry = held.remaining()
                .plusMillis(1 + (long) (environment.clock().environment().random() * 10));
        return expiry.compareTo(poll) < 0 ? expiry : poll;
    }

    private void deadlineReached(WaitingRequest waitingRequest) {
        if (!isOver(waitingRequest)) {
            scheduleDeadline(waitingRequest, waitingRequest.deadlineNanos); // The timer fired early.
            return;
        }
        Refused refusal = lastAnswer(waitingRequest);
        if (refusal != null && !isHeldBy(refusal, waitingRequest)) {
            waitingRequest.future.complete(refusal.at(environment.nanos()));
        } else if (waitingRequest.lastDeadlineNanos - environment.nanos() > 0) {
            // The store has not answered yet. Its next answer counts for this request, too.
            scheduleDeadline(waitingRequest, waitingRequest.lastDeadlineNanos);
        } else if (!isAttempting(waitingRequest)) {
            waitingRequest.fail(StoreException.notApplied("no answer from the store while waiting for " + key, null));
        }
    }

    private synchronized boolean isAttempting(WaitingRequest waitingRequest) {
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

    private void leave(WaitingRequest waitingRequest, @Nullable Answer answer) {
        if (waitingRequest.waited) {
            environment
                    .listener()
                    .onWaitEnded(
                            key, environment.nanos() - waitingRequest.begunNanos, answer instanceof Answer.Applied);
        }
        CompletableFuture<Answer> abandoned = null;
        synchronized (this) {
            if (waiters.peek() == waitingRequest) {
                abandoned = attempt;
            }
            waiters.remove(waitingRequest);
            attempts = 0;
        }
        HostEnvironment.Timer timer = waitingRequest.deadline;
        if (timer != null) {
            timer.cancel();
        }
        if (abandoned != null) {
            abandoned.cancel(false);
        }
        Entry undelivered = waitingRequest.undelivered;
        if (undelivered != null && !waitingRequest.writes.isDelivered()) {
            CompletableFuture<Void> unused = environment.releaser().release(undelivered);
        }
        queues.dropIfEmpty(this, key);
    }

    void failAll(RuntimeException reason) {
        List<WaitingRequest> leaving;
        synchronized (this) {
            leaving = List.copyOf(waiters);
        }
        CallbackThread.run(
                () -> leaving.forEach(waitingRequest -> waitingRequest.future.completeExceptionally(reason)));
    }

    /** Closes an empty queue. A later request for the key starts a new one. */
    void close() {
        synchronized (this) {
            closed = true;
            cancelNextAttempt();
        }
        watch.close();
    }

    private void cancelNextAttempt() {
        if (nextAttempt != null) {
            nextAttempt.cancel();
            nextAttempt = null;
        }
    }
}
