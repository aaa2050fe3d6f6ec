package dev.holdfast.internal.engine;

import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.Outcome;
import dev.holdfast.spi.OverloadedException;
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
final class Lanes {
    private static final Logger log = LoggerFactory.getLogger(Lanes.class);

    private final Engine engine;
    private final int count;
    private final int batchLimit;
    private final int queueLimit;

    private final Deque<Integer> idle = new ArrayDeque<>();
    /** What may go: one request of each key, and none of a key that is under way. */
    private final Deque<Operation> ready = new ArrayDeque<>();
    /** The keys that are ready or under way, and the requests that come after. */
    private final Map<Key, Queue<Operation>> behind = new HashMap<>();
    /** Halves of a batch that the store rejected as a whole: one of their rows is bad. */
    private final Deque<List<Operation>> splits = new ArrayDeque<>();

    private int waiting;
    private int underWay;

    Lanes(Engine engine, int count, int batchLimit, int queueLimit) {
        this.engine = engine;
        this.count = count;
        this.batchLimit = batchLimit;
        this.queueLimit = queueLimit;
        for (int lane = 0; lane < count; lane++) {
            idle.add(lane);
        }
    }

    /** Takes a new request, if there is room. */
    void submit(Operation operation) {
        boolean full;
        synchronized (this) {
            full = waiting >= queueLimit && !operation.isUrgent();
            if (!full) {
                enqueue(operation);
            }
        }
        if (full) {
            operation.future.completeExceptionally(new OverloadedException(queueLimit));
        } else {
            pump();
        }
    }

    /** Takes back a request that has been here before. */
    void resume(Operation operation) {
        synchronized (this) {
            if (!operation.isInDoubt()) {
                enqueue(operation);
            } else if (operation.inBatch) {
                operation.resumeAtEnd = true;
            } else {
                waiting++;
                ready.add(operation);
            }
        }
        pump();
    }

    /** Gives up a request that waits for its next attempt. Requests behind it may go. */
    void abandon(Operation operation) {
        synchronized (this) {
            boolean keptKey = operation.isInDoubt() && !operation.inBatch;
            operation.settled = true;
            if (keptKey) {
                pass(operation.key);
            }
        }
        pump();
    }

    private void enqueue(Operation operation) {
        waiting++;
        Queue<Operation> others = behind.get(operation.key);
        if (others == null) {
            behind.put(operation.key, new ArrayDeque<>(1));
            ready.add(operation);
        } else {
            others.add(operation);
        }
    }

    /** The next request of {@code key} may go. */
    private void pass(Key key) {
        Operation next = Objects.requireNonNull(behind.get(key)).poll();
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
        batch.aside.forEach(Lanes::runSafely);
        if (batch.operations.isEmpty()) {
            end(batch, lane);
            return;
        }
        long asked = engine.nextPlace();
        long sentNanos = batch.send(engine.moment());
        CompletableFuture<List<Outcome>> answer =
                Futures.contain(() -> engine.port().apply(lane, batch.changes));
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
            @Nullable List<Outcome> outcomes,
            @Nullable Throwable error) {
        try {
            engine.listener().onBatch(batch.changes.size(), engine.nanos() - sentNanos);
            engine.listener().onQueue(waiting());
            if (outcomes != null && outcomes.size() == batch.changes.size()) {
                Delivery.run(() -> engine.outcomes().answered(batch.operations, batch.changes, outcomes, asked));
            } else if (batch.operations.size() > 1 && Failures.isOneBadRow(error)) {
                split(batch);
            } else {
                Throwable cause = error == null ? new IllegalStateException(outcomes + " for " + batch.changes) : error;
                Delivery.run(() -> engine.outcomes().failed(batch.operations, Failures.of(cause)));
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

    private void leave(Operation operation) {
        operation.inBatch = false;
        if (!operation.isInDoubt()) {
            pass(operation.key);
        } else if (operation.resumeAtEnd) {
            waiting++;
            ready.add(operation);
        }
        operation.resumeAtEnd = false;
    }

    /** Keeps the keys: their requests are under way still. */
    private synchronized void split(Batch batch) {
        List<Operation> all = List.copyOf(batch.operations);
        splits.push(all.subList(all.size() / 2, all.size()));
        splits.push(all.subList(0, all.size() / 2));
        batch.operations.clear();
    }

    /** Called with the lock held. What must happen without it is put aside. */
    private Batch build() {
        Batch batch = new Batch();
        // A half that all have left is nothing to send.
        while (batch.isIdle() && !splits.isEmpty()) {
            splits.remove().forEach(operation -> add(operation, batch));
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

    private void add(Operation operation, Batch batch) {
        Change change = engine.steps().next(operation, batch.aside);
        if (change == null || !operation.claimSend()) {
            pass(operation.key);
        } else {
            underWay++;
            operation.inBatch = true;
            batch.operations.add(operation);
            batch.changes.add(change);
        }
    }

    /** What goes to the store together, and what to do aside of it. */
    private static final class Batch {
        final List<Operation> operations = new ArrayList<>();
        final List<Change> changes = new ArrayList<>();
        final List<Runnable> aside = new ArrayList<>(2);

        boolean isIdle() {
            return operations.isEmpty() && aside.isEmpty();
        }

        long send(Moment moment) {
            operations.forEach(operation -> operation.sentAt(moment));
            return moment.nanos();
        }
    }
}
