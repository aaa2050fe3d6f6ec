package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LeaseState;
import dev.holdfast.OverloadedException;
import dev.holdfast.StoreException;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of requests for the store, with group commit. While batches are with the store, further requests gather.
 * When a batch is answered, the gathered requests go as the next one. No request waits for others to fill a batch.
 *
 * <p>There are as many lanes as the store takes batches at once, and a request may use any idle lane. A batch takes its
 * share of all requests that are ready or under way, no more. Otherwise one lane would carry nearly everything, and the
 * others almost nothing.
 *
 * <p>A request is decided when its batch is built, on the newest known entries, not when it was submitted. So requests
 * for one key that arrive together do not conflict with each other. One is sent, and the others stay behind it until
 * its answer was delivered; its outcome decides them. A key has at most one change in flight.
 *
 * <p>A request whose write may or may not have been applied keeps its key until that is settled, also while it waits
 * for its next attempt. Otherwise a later request could overtake it, and the earlier one, sent again, would undo the
 * later one.
 *
 * <p>A lane delivers its answers before it takes the next batch. So callbacks that submit again are nested no deeper
 * than there are lanes. Callbacks run without the lock.
 */
final class RequestQueue implements StepRunner.Resumption {
    private static final Logger log = LoggerFactory.getLogger(RequestQueue.class);

    /**
     * Concurrent batches of a store that never blocks. Its calls run on the callers' threads; with this many lanes, a
     * few callers need not wait for each other.
     */
    private static final int INLINE_LANES = 4;

    private final AsyncStore store;
    private final RequestDecider decider;
    private final WriteConclusions conclusions;
    private final StepRunner steps;
    private final PipelineClock clock;
    private final LeaseListener listener;
    private final Consumer<Key> onFreed;
    private final int lanes;
    private final int batchLimit;
    private final int queueLimit;

    private final Deque<Integer> idle = new ArrayDeque<>();
    /** The requests that may be sent: one of each key, and none of a key that is under way. */
    private final Deque<PendingRequest> ready = new ArrayDeque<>();
    /** The keys that are ready or under way, and the later requests for each. */
    private final Map<Key, Queue<PendingRequest>> behind = new HashMap<>();
    /** The halves of a batch that the store rejected as a whole, because one of its rows is bad. */
    private final Deque<List<PendingRequest>> splits = new ArrayDeque<>();

    private int waiting;
    private int underWay;
    /** Groups of requests that are being submitted. */
    private int openGroups;

    /** @param onFreed called with each key that a write has freed */
    RequestQueue(
            AsyncStore store,
            RequestDecider decider,
            WriteConclusions conclusions,
            StepRunner steps,
            PipelineClock clock,
            PipelineOptions options,
            Consumer<Key> onFreed) {
        StoreTraits traits = store.traits();
        this.store = store;
        this.decider = decider;
        this.conclusions = conclusions;
        this.steps = steps;
        this.clock = clock;
        this.listener = options.listener();
        this.onFreed = onFreed;
        this.lanes = traits.lanes() == 0 ? INLINE_LANES : traits.lanes();
        this.batchLimit = traits.batchLimit();
        this.queueLimit = options.queueLimit();
        for (int lane = 0; lane < lanes; lane++) {
            idle.add(lane);
        }
    }

    /**
     * Accepts a new request, if the queue is not full.
     *
     * @param callerWaits whether the calling thread waits for the answer to it, so that the store may run it there
     */
    void submit(PendingRequest pending, boolean callerWaits) {
        boolean full;
        boolean othersFollow;
        synchronized (this) {
            full = waiting >= queueLimit && !pending.isUrgent();
            if (!full) {
                enqueue(pending);
            }
            othersFollow = openGroups > 0;
        }
        if (full) {
            pending.future.completeExceptionally(new OverloadedException(queueLimit));
        } else if (!othersFollow) {
            pump(callerWaits ? pending : null);
        }
    }

    /**
     * Runs {@code submissions}, and begins to send their requests afterwards. Otherwise the first of them would be sent alone.
     * Requests of other threads wait with them until the next group ends, so no group may block.
     */
    void together(Runnable submissions) {
        synchronized (this) {
            openGroups++;
        }
        try {
            submissions.run();
        } finally {
            synchronized (this) {
                openGroups--;
            }
            pump();
        }
    }

    @Override
    public void resume(PendingRequest pending) {
        synchronized (this) {
            if (!pending.isInDoubt()) {
                enqueue(pending);
            } else if (pending.place == PendingRequest.Place.OUTSIDE) {
                waiting++;
                ready.add(pending);
            } else {
                pending.place = PendingRequest.Place.RESUMED_IN_BATCH;
            }
        }
        pump();
    }

    /** Ends a request that waits for its next attempt. The requests behind it may be sent. */
    @Override
    public void abandon(PendingRequest pending) {
        synchronized (this) {
            boolean keptKey = pending.isInDoubt() && pending.place == PendingRequest.Place.OUTSIDE;
            pending.settle();
            if (keptKey) {
                readyNext(pending.key);
            }
        }
        pump();
    }

    private void enqueue(PendingRequest pending) {
        waiting++;
        Queue<PendingRequest> others = behind.get(pending.key);
        if (others == null) {
            behind.put(pending.key, new ArrayDeque<>(1));
            ready.add(pending);
        } else {
            others.add(pending);
        }
    }

    /** Makes the next request for {@code key} ready. */
    private void readyNext(Key key) {
        PendingRequest next = Objects.requireNonNull(behind.get(key)).poll();
        if (next == null) {
            behind.remove(key);
        } else {
            ready.add(next);
        }
    }

    private void pump() {
        pump(null);
    }

    /** @param waitedFor the request that this thread waits for; null if it waits for none */
    private void pump(@Nullable PendingRequest waitedFor) {
        while (true) {
            Batch batch;
            int lane;
            synchronized (this) {
                if (idle.isEmpty() || (ready.isEmpty() && splits.isEmpty())) {
                    return;
                }
                batch = build();
                if (batch.isIdle()) {
                    return;
                }
                lane = idle.pop();
            }
            run(batch, lane, waitedFor);
        }
    }

    private void run(Batch batch, int lane, @Nullable PendingRequest waitedFor) {
        batch.steps.forEach((pending, step) -> steps.run(pending, step, this));
        if (batch.requests.isEmpty()) {
            end(batch, lane);
            return;
        }
        long asked = clock.nextPlace();
        long sentNanos = batch.send(clock.reading());
        // Alone in its batch: a thread that waits for one request does not run the requests of others.
        boolean callerWaits = batch.requests.size() == 1 && batch.requests.get(0) == waitedFor;
        CompletableFuture<List<WriteOutcome>> answer =
                Futures.contain(() -> store.apply(lane, batch.changes, callerWaits));
        boolean isHere = answer.isDone();
        Futures.whenDone(answer, (outcomes, error) -> {
            try {
                deliver(batch, lane, asked, sentNanos, outcomes, error);
            } finally {
                if (!isHere) {
                    pump();
                }
            }
        });
    }

    private void deliver(
            Batch batch,
            int lane,
            long asked,
            long sentNanos,
            @Nullable List<WriteOutcome> outcomes,
            @Nullable Throwable error) {
        try {
            listener.onBatch(batch.changes.size(), clock.nanos() - sentNanos);
            listener.onQueue(waiting());
            if (outcomes != null && outcomes.size() == batch.changes.size()) {
                CallbackThread.run(() -> answered(batch, outcomes, asked));
            } else if (batch.requests.size() > 1 && StoreFailures.isOneBadRow(error)) {
                split(batch);
            } else {
                Throwable cause = error == null ? new IllegalStateException(outcomes + " for " + batch.changes) : error;
                CallbackThread.run(() -> failed(batch, StoreFailures.of(cause)));
            }
        } finally {
            end(batch, lane);
        }
    }

    private void answered(Batch batch, List<WriteOutcome> outcomes, long asked) {
        ClockReading now = clock.reading();
        for (int i = 0; i < outcomes.size(); i++) {
            PendingRequest pending = batch.requests.get(i);
            Change change = batch.changes.get(i);
            WriteOutcome outcome = outcomes.get(i);
            steps.run(pending, () -> conclusions.conclude(pending, change, outcome, asked, now), this);
            boolean isFreed = change.next() != null && change.next().state() != LeaseState.HELD;
            if (isFreed && outcome instanceof WriteOutcome.Applied) {
                freed(pending.key);
            }
        }
    }

    @SuppressWarnings("IllegalCatch") // Otherwise the rest of the batch would get no answer.
    private void freed(Key key) {
        try {
            onFreed.accept(key);
        } catch (Throwable e) {
            log.error("the requests that wait for {} were not woken; this is a bug in Holdfast", key, e);
        }
    }

    private void failed(Batch batch, StoreException failure) {
        batch.requests.forEach(pending -> steps.run(pending, () -> conclusions.sendFailed(pending, failure), this));
    }

    private synchronized int waiting() {
        return waiting;
    }

    private synchronized void end(Batch batch, int lane) {
        underWay -= batch.changes.size();
        batch.requests.forEach(this::leave);
        idle.push(lane);
    }

    private void leave(PendingRequest pending) {
        boolean isResumed = pending.place == PendingRequest.Place.RESUMED_IN_BATCH;
        pending.place = PendingRequest.Place.OUTSIDE;
        if (!pending.isInDoubt()) {
            readyNext(pending.key);
        } else if (isResumed) {
            waiting++;
            ready.add(pending);
        }
    }

    /** Splits a batch. Its requests keep their keys: they are still under way. */
    private synchronized void split(Batch batch) {
        List<PendingRequest> all = List.copyOf(batch.requests);
        splits.push(all.subList(all.size() / 2, all.size()));
        splits.push(all.subList(0, all.size() / 2));
        batch.requests.clear();
    }

    /** Builds the next batch. Called with the lock held; steps that must run without it are collected in the batch. */
    private Batch build() {
        Batch batch = new Batch();
        // If all callers of a half have left, there is nothing to send.
        while (batch.isIdle() && !splits.isEmpty()) {
            splits.remove().forEach(pending -> add(pending, batch));
        }
        if (!batch.isIdle()) {
            return batch;
        }
        int share = Math.min(batchLimit, (ready.size() + underWay + lanes - 1) / lanes);
        while (!ready.isEmpty() && batch.requests.size() < share) {
            waiting--;
            add(ready.remove(), batch);
        }
        return batch;
    }

    private void add(PendingRequest pending, Batch batch) {
        NextStep step = decider.next(pending);
        if (step instanceof NextStep.Send send && pending.claimSend()) {
            underWay++;
            pending.place = PendingRequest.Place.IN_BATCH;
            batch.requests.add(pending);
            batch.changes.add(send.change());
            return;
        }
        readyNext(pending.key);
        boolean isToRun = !(step instanceof NextStep.Send || step instanceof NextStep.Drop);
        if (isToRun) {
            batch.steps.put(pending, step);
        }
    }

    /** Changes that go to the store together, and the other steps that were decided with them. */
    private static final class Batch {
        final List<PendingRequest> requests = new ArrayList<>();
        final List<Change> changes = new ArrayList<>();
        final Map<PendingRequest, NextStep> steps = new LinkedHashMap<>(2);

        boolean isIdle() {
            return requests.isEmpty() && steps.isEmpty();
        }

        long send(ClockReading now) {
            requests.forEach(pending -> pending.sentAt(now));
            return now.nanos();
        }
    }
}
