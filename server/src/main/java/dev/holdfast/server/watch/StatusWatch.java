package dev.holdfast.server.watch;

import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.server.watch.WatchedStatuses.Batch;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.store.Entry;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One watch. It remembers the last change that it has sent and nothing else: a slow reader gets the latest states, and
 * costs no memory for what it has not read.
 */
public final class StatusWatch {
    /** Smaller messages are not counted as unread: all watches of a client together have 4 MB of them at most. */
    private static final int COUNTED_BYTES = 4 << 10;

    private final WatchRegistry watchRegistry;
    private final WatchScope scope;
    private final WatchSink watchSink;
    private final Executor thread;
    private final WatchedStatuses table;
    private final WatchSendBudget budget;
    private final LongSupplier nanos;
    private final AtomicBoolean isDue = new AtomicBoolean();

    private volatile Phase phase = Phase.WAITING_FOR_SCAN;
    /** The last change when the watch began; removals up to this one are not its business. */
    private volatile long firstChange;

    private volatile long lastChange;
    /** On {@link #thread} only. */
    private boolean toldInSync;
    /** Whether a probe was sent after the last message. On {@link #thread} only. */
    private boolean probing;

    private enum Phase {
        WAITING_FOR_SCAN,
        SENDING,
        OVER
    }

    StatusWatch(
            WatchRegistry watchRegistry, WatchScope scope, WatchSink watchSink, Executor thread, LongSupplier nanos) {
        this.watchRegistry = watchRegistry;
        this.scope = scope;
        this.watchSink = watchSink;
        this.thread = thread;
        this.table = watchRegistry.table();
        this.budget = watchRegistry.budget();
        this.nanos = nanos;
    }

    WatchScope scope() {
        return scope;
    }

    /** The sink can take more, or there is more to send. */
    public void ready() {
        if (phase != Phase.OVER && isDue.compareAndSet(false, true)) {
            thread.execute(this::send);
        }
    }

    /** Ends the watch. Idempotent. */
    public void leave() {
        synchronized (this) {
            phase = Phase.OVER;
        }
        budget.leave(this);
        watchRegistry.leave(this);
    }

    /** Begins to send: a scan that began after this watch has ended. */
    void begin() {
        synchronized (this) {
            if (phase != Phase.WAITING_FOR_SCAN) {
                return;
            }
            firstChange = table.lastChange();
            phase = Phase.SENDING;
        }
        ready();
    }

    /** Removals up to this change need not be remembered for this watch. */
    long lastChange() {
        return phase == Phase.SENDING ? Math.max(firstChange, lastChange) : Long.MAX_VALUE;
    }

    /** Ends the watch for {@code reason}. */
    public void fail(Throwable reason) {
        boolean isFirst;
        synchronized (this) {
            isFirst = phase != Phase.OVER;
            phase = Phase.OVER;
        }
        leave();
        if (isFirst) {
            thread.execute(() -> watchSink.fail(reason));
        }
    }

    /** On {@link #thread} only. */
    private void send() {
        isDue.set(false);
        try {
            scope.requireKnownCaller();
            boolean more = true;
            while (more && phase == Phase.SENDING && watchSink.isReady()) {
                more = sendNext();
            }
        } catch (StatusRuntimeException noLongerAllowed) {
            fail(noLongerAllowed);
        }
        budget.wakeNext();
    }

    /** Returns whether there may be more to send at once. */
    private boolean sendNext() {
        if (!table.remembersSince(lastChange())) {
            fail(tooSlow());
            return false;
        }
        if (probing) {
            probing = false;
            budget.clear(this);
        }
        Batch batch = table.next(lastChange, firstChange, scope);
        boolean isEmpty = batch.statuses().isEmpty() && batch.removed().isEmpty();
        boolean inSync = batch.isLast() && !toldInSync;
        boolean tells = !isEmpty || inSync;
        if (tells && budget.mayWrite(this)) {
            lastChange = batch.lastChange();
            tell(batch, inSync);
            return true;
        }
        if (!tells) {
            lastChange = batch.lastChange();
        }
        if (!tells && !batch.isLast()) {
            ready(); // Others get their turn in between.
        } else if (budget.hasUnread(this)) {
            // Finds out whether the client has read it.
            probing = true;
            watchSink.probe();
        }
        return false;
    }

    private void tell(Batch batch, boolean inSync) {
        List<LeaseStatus> statuses = batch.statuses().stream()
                .filter(status -> scope.allowed().test(status.key().namespace()))
                .map(StatusWatch::apart)
                .toList();
        List<Key> removed = batch.removed().stream()
                .filter(key -> scope.allowed().test(key.namespace()))
                .toList();
        if (inSync || !statuses.isEmpty() || !removed.isEmpty()) {
            toldInSync |= inSync;
            if (batch.bytes() >= COUNTED_BYTES) {
                budget.wrote(this, batch.bytes(), nanos.getAsLong());
            }
            watchSink.tell(statuses, removed, inSync);
        }
    }

    /** A copy with attributes of its own: the table's must not stay decoded, which takes several times their size. */
    private static LeaseStatus apart(LeaseStatus status) {
        Entry entry = status.entry();
        if (entry.attributes().encodedSize() == Attributes.NONE.encodedSize()) {
            return status;
        }
        Attributes copy = Attributes.decode(entry.attributes().encoded());
        return new LeaseStatus(entry.withAttributes(entry.version(), copy), status.state(), status.remaining());
    }

    private static StatusRuntimeException tooSlow() {
        return StatusProto.toStatusRuntimeException(WireErrors.exhausted(
                "SLOW_READER",
                "more keys were removed than the server remembers for a slow reader; watch again",
                Duration.ofSeconds(1)));
    }
}
