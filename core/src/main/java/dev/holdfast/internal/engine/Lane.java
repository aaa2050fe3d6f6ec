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
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: while one batch is with the store, further requests gather; when it is answered, all that have gathered
 * go as the next one. Nobody lingers for company.
 *
 * <p>A request is decided when its batch is built, on the newest knowledge there is, not when it was made. So requests
 * for one key that arrive together do not conflict with each other: one goes, and its outcome decides the rest.
 *
 * <p>One batch is under way at a time, and answers are handed out before the next one goes. A callback that submits
 * again therefore only queues (no recursion), and a key has at most one change in flight. Callbacks run without the
 * lock.
 */
final class Lane {
    private final Engine engine;
    private final int number;
    private final int batchLimit;
    private final int queueLimit;

    private final Deque<Operation> queue = new ArrayDeque<>();
    /** Halves of a batch that the store rejected as a whole: one of their rows is bad. */
    private final Deque<List<Operation>> splits = new ArrayDeque<>();

    private boolean busy;

    Lane(Engine engine, int number, int batchLimit, int queueLimit) {
        this.engine = engine;
        this.number = number;
        this.batchLimit = batchLimit;
        this.queueLimit = queueLimit;
    }

    /** Takes a new request, if there is room. */
    void submit(Operation operation) {
        boolean full;
        synchronized (this) {
            full = queue.size() >= queueLimit && !operation.isUrgent();
            if (!full) {
                queue.add(operation);
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
            queue.add(operation);
        }
        pump();
    }

    private void pump() {
        while (true) {
            Batch batch;
            synchronized (this) {
                if (busy) {
                    return;
                }
                batch = build();
                if (batch.isIdle()) {
                    return;
                }
                busy = true;
            }
            if (!run(batch)) {
                return;
            }
        }
    }

    /** Returns whether the batch is over; if not, its answer will pump on. */
    private boolean run(Batch batch) {
        batch.aside.forEach(Runnable::run);
        if (batch.operations.isEmpty()) {
            release();
            return true;
        }
        long asked = engine.nextPlace();
        long sentNanos = batch.send(engine.moment());
        CompletableFuture<List<Outcome>> answer = engine.port().apply(number, batch.changes);
        if (answer.isDone()) {
            Futures.whenDone(answer, (outcomes, error) -> deliver(batch, asked, sentNanos, outcomes, error));
            return true;
        }
        Futures.whenDone(answer, (outcomes, error) -> {
            deliver(batch, asked, sentNanos, outcomes, error);
            pump();
        });
        return false;
    }

    private void deliver(
            Batch batch, long asked, long sentNanos, @Nullable List<Outcome> outcomes, @Nullable Throwable error) {
        try {
            engine.listener().onBatch(batch.changes.size(), engine.nanos() - sentNanos);
            engine.listener().onQueue(waiting());
            if (outcomes != null && outcomes.size() == batch.changes.size()) {
                Delivery.run(() -> engine.outcomes().answered(batch.operations, batch.changes, outcomes, asked));
            } else if (batch.operations.size() > 1 && Failures.isOneBadRow(error)) {
                split(batch.operations);
            } else {
                Throwable cause = error == null ? new IllegalStateException(outcomes + " for " + batch.changes) : error;
                Delivery.run(() -> engine.outcomes().failed(batch.operations, Failures.of(cause)));
            }
        } finally {
            release();
        }
    }

    private synchronized int waiting() {
        return queue.size();
    }

    private synchronized void release() {
        busy = false;
    }

    private synchronized void split(List<Operation> operations) {
        int half = operations.size() / 2;
        splits.push(List.copyOf(operations.subList(half, operations.size())));
        splits.push(List.copyOf(operations.subList(0, half)));
    }

    /** Called with the lock held. What must happen without it is put aside. */
    private Batch build() {
        Batch batch = new Batch();
        List<Operation> half = splits.poll();
        if (half != null) {
            half.forEach(operation -> add(operation, batch));
            return batch;
        }
        Iterator<Operation> waiting = queue.iterator();
        while (waiting.hasNext() && batch.operations.size() < batchLimit) {
            Operation operation = waiting.next();
            if (!batch.keys.contains(operation.key)) {
                waiting.remove();
                add(operation, batch);
            }
        }
        return batch;
    }

    private void add(Operation operation, Batch batch) {
        Change change = engine.steps().next(operation, batch.aside);
        if (change != null) {
            batch.operations.add(operation);
            batch.changes.add(change);
            batch.keys.add(operation.key);
        }
    }

    /** What goes to the store together, and what to do aside of it. */
    private static final class Batch {
        final List<Operation> operations = new ArrayList<>();
        final List<Change> changes = new ArrayList<>();
        final Set<Key> keys = new HashSet<>();
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
