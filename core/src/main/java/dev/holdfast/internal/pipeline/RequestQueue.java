package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.OverloadedException;
import dev.holdfast.internal.CallbackThread;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.ClockReading;
import dev.holdfast.store.Change;
import dev.holdfast.store.WriteOutcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: while batches are with the store, further requests gather; when one is answered, what has gathered goes
 * as the next one. Nobody lingers for company.
 *
 * <p>There are as many lanes as the store takes batches at once, and any request goes by whichever is idle. A batch takes
 * its share of all that is under way, no more: or one lane would go with nearly everything, and the others nearly empty.
 *
 * <p>A request is decided when its batch is built, on the newest knowledge there is, not when it was made. So requests
 * for one key that arrive together do not conflict with each other: one goes, and its outcome decides the rest, which
 * stay behind it until its answer was handed out. A key has at most one change in flight.
 *
 * <p>A request whose write may or may not have been applied keeps its key until that is settled, also while it waits for
 * its next attempt. Otherwise a later request could overtake it, and the earlier one, sent again, would undo the later.
 *
 * <p>A lane hands out its answers before it takes the next batch. A callback that submits again therefore goes no deeper
 * than there are lanes. Callbacks run without the lock.
 */
final class RequestQueue {
    private static final Logger log = LoggerFactory.getLogger(RequestQueue.class);

    private final RequestPipeline requestPipeline;
    private final int count;
    private final int batchLimit;
    private final int queueLimit;

    private final Deque<Integer> idle = new ArrayDeque<>();
    /** What may go: one request of each key, and none of a key that is under way. */
    private final Deque<PendingRequest> ready = new ArrayDeque<>();
    /** The keys that are ready or under way, and the requests that come after. */
    private final Map<Key, Queue<PendingRequest>> behind = new HashMap<>();
    /** Halves of a batch that the store rejected as a whole: one of their rows is bad. */
    private final Deque<List<PendingRequest>> splits = new ArrayDeque<>();

    private int waiting;
    private int underWay;

    RequestQueue(RequestPipeline requestPipeline, int count, int batchLimit, int queueLimit) {
        this.requestPipeline = requestPipeline;
        this.count = count;
        this.batchLimit = batchLimit;
        this.queueLimit = queueLimit;
        for (int lane = 0; lane < count; lane++) {
            idle.add(lane);
        }
    }

    /** Takes a new request, if there is room. */
    void submit(PendingRequest pendingRequest) {
        boolean full;
        synchronized (this) {
            full = waiting >= queueLimit && !pendingRequest.isUrgent();
            if (!full) {
                enqueue(pendingRequest);
            }
        }
        if (full) {
            pendingRequest.future.completeExceptionally(new OverloadedException(queueLimit));
        } else {
            pump();
        }
    }

    /** Takes back a request that has been here before. */
    void resume(PendingRequest pendingRequest) {
        synchronized (this) {
            if (!pendingRequest.isInDoubt()) {
                enqueue(pendingRequest);
            } else if (pendingRequest.inBatch) {
                pendingRequest.resumeAtEnd = true;
            } else {
                waiting++;
                ready.add(pendingRequest);
            }
        }
        pump();
    }

    /** Gives up a request that waits for its next attempt. Requests behind it may go. */
    void abandon(PendingRequest pendingRequest) {
        synchronized (this) {
            boolean keptKey = pendingRequest.isInDoubt() && !pendingRequest.inBatch;
            pendingRequest.settled = true;
            if (keptKey) {
                pass(pendingRequest.key);
            }
        }
        pump();
    }

    private void enqueue(PendingRequest pendingRequest) {
        waiting++;
        Queue<PendingRequest> others = behind.get(pendingRequest.key);
        if (others == null) {
            behind.put(pendingRequest.key, new ArrayDeque<>(1));
            ready.add(pendingRequest);
        } else {
            others.add(pendingRequest);
        }
    }

    /** The next request of {@code key} may go. */
    private void pass(Key key) {
        PendingRequest next = Objects.requireNonNull(behind.get(key)).poll();
        if (next == null) {
            behind.remove(key);
        } else {
            ready.add(next);
        }
    }

    private void pump() {
        while (true) {
            Batch batch;
            int lane;
            synchronized (this) {
                if (idle.isEmpty()) {
                    return;
                }
                batch = build();
                if (batch.isIdle()) {
                    return;
                }
                lane = idle.pop();
            }
            run(batch, lane);
        }
    }

    private void run(Batch batch, int lane) {
        batch.aside.forEach(RequestQueue::runSafely);
        if (batch.operations.isEmpty()) {
            end(batch, lane);
            return;
        }
        long asked = requestPipeline.nextPlace();
        long sentNanos = batch.send(requestPipeline.moment());
        CompletableFuture<List<WriteOutcome>> answer =
                Futures.contain(() -> requestPipeline.port().apply(lane, batch.changes));
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

    /** What fails here concerns one request; the batch that it was decided with goes on. */
    @SuppressWarnings("IllegalCatch")
    private static void runSafely(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            log.error("a step of a request failed; this is a bug in Holdfast", e);
        }
    }

    private void deliver(
            Batch batch,
            int lane,
            long asked,
            long sentNanos,
            @Nullable List<WriteOutcome> outcomes,
            @Nullable Throwable error) {
        try {
            requestPipeline.listener().onBatch(batch.changes.size(), requestPipeline.nanos() - sentNanos);
            requestPipeline.listener().onQueue(waiting());
            if (outcomes != null && outcomes.size() == batch.changes.size()) {
                CallbackThread.run(
                        () -> requestPipeline.outcomes().answered(batch.operations, batch.changes, outcomes, asked));
            } else if (batch.operations.size() > 1 && StoreFailures.isOneBadRow(error)) {
                split(batch);
            } else {
                Throwable cause = error == null ? new IllegalStateException(outcomes + " for " + batch.changes) : error;
                CallbackThread.run(() -> requestPipeline.outcomes().failed(batch.operations, StoreFailures.of(cause)));
            }
        } finally {
            end(batch, lane);
        }
    }

    private synchronized int waiting() {
        return waiting;
    }

    private synchronized void end(Batch batch, int lane) {
        underWay -= batch.changes.size();
        batch.operations.forEach(this::leave);
        idle.push(lane);
    }

    private void leave(PendingRequest pendingRequest) {
        pendingRequest.inBatch = false;
        if (!pendingRequest.isInDoubt()) {
            pass(pendingRequest.key);
        } else if (pendingRequest.resumeAtEnd) {
            waiting++;
            ready.add(pendingRequest);
        }
        pendingRequest.resumeAtEnd = false;
    }

    /** Keeps the keys: their requests are under way still. */
    private synchronized void split(Batch batch) {
        List<PendingRequest> all = List.copyOf(batch.operations);
        splits.push(all.subList(all.size() / 2, all.size()));
        splits.push(all.subList(0, all.size() / 2));
        batch.operations.clear();
    }

    /** Called with the lock held. What must happen without it is put aside. */
    private Batch build() {
        Batch batch = new Batch();
        // A half that all have left is nothing to send.
        while (batch.isIdle() && !splits.isEmpty()) {
            splits.remove().forEach(pendingRequest -> add(pendingRequest, batch));
        }
        if (!batch.isIdle()) {
            return batch;
        }
        int share = Math.min(batchLimit, (ready.size() + underWay + count - 1) / count);
        while (!ready.isEmpty() && batch.operations.size() < share) {
            waiting--;
            add(ready.remove(), batch);
        }
        return batch;
    }

    private void add(PendingRequest pendingRequest, Batch batch) {
        Change change = requestPipeline.steps().next(pendingRequest, batch.aside);
        if (change == null || !pendingRequest.claimSend()) {
            pass(pendingRequest.key);
        } else {
            underWay++;
            pendingRequest.inBatch = true;
            batch.operations.add(pendingRequest);
            batch.changes.add(change);
        }
    }

    /** What goes to the store together, and what to do aside of it. */
    private static final class Batch {
        final List<PendingRequest> operations = new ArrayList<>();
        final List<Change> changes = new ArrayList<>();
        final List<Runnable> aside = new ArrayList<>(2);

        boolean isIdle() {
            return operations.isEmpty() && aside.isEmpty();
        }

        long send(ClockReading clockReading) {
            operations.forEach(pendingRequest -> pendingRequest.sentAt(clockReading));
            return clockReading.nanos();
        }
    }
}
