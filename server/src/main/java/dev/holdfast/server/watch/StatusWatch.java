package dev.holdfast.server.watch;

import dev.holdfast.Attributes;
import dev.holdfast.LeaseStatus;
import dev.holdfast.proto.v1.WatchResponse;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.store.Entry;
import dev.holdfast.wire.StatusMessages;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * One watch. It remembers only the last change that it has sent. So a slow reader gets the latest statuses and costs no
 * memory for unread changes.
 */
public final class StatusWatch {
    /** Smaller messages are not counted as unread: all watches of a client together have at most 4 MB of them. */
    private static final int COUNTED_BYTES = 4 << 10;

    private final SharedScan scan;
    private final WatchScope scope;
    private final WatchSink watchSink;
    private final Executor thread;
    private final WatchedStatuses table;
    private final WatchSendBudget budget;
    private final LongSupplier nanos;
    private final AtomicBoolean isDue = new AtomicBoolean();

    private volatile Phase phase = Phase.WAITING_FOR_SCAN;
    /** The last change when the watch began; removals up to this one are not reported. */
    private volatile long firstChange;

    private volatile long lastChange;
    /** On {@link #thread} only. */
    private boolean inSyncSent;
    /** Whether a probe was sent after the last message. On {@link #thread} only. */
    private boolean probing;

    private enum Phase {
        WAITING_FOR_SCAN,
        SENDING,
        OVER
    }

    StatusWatch(SharedScan scan, WatchScope scope, WatchSink watchSink, Executor thread, LongSupplier nanos) {
        this.scan = scan;
        this.scope = scope;
        this.watchSink = watchSink;
        this.thread = thread;
        this.table = scan.table;
        this.budget = scan.budget;
        this.nanos = nanos;
    }

    WatchScope scope() {
        return scope;
    }

    /** Schedules sending: the sink can take more, or there is more to send. */
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
        scan.leave(this);
    }

    /** Begins to send. Called when a scan that started after this watch has ended. */
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

    /** The last change that this watch needs no more: removals up to it need not be kept for this watch. */
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

    /**
     * Sends the next batch.
     *
     * @return whether there may be more to send immediately
     */
    private boolean sendNext() {
        if (!table.remembersSince(lastChange())) {
            fail(tooSlow());
            return false;
        }
        if (probing) {
            probing = false;
            budget.clear(this);
        }
        WatchedStatuses.Batch batch = table.next(lastChange, firstChange, scope);
        boolean isEmpty = batch.statuses().isEmpty() && batch.removed().isEmpty();
        boolean inSync = batch.isLast() && !inSyncSent;
        boolean hasContent = !isEmpty || inSync;
        if (hasContent && budget.mayWrite(this)) {
            lastChange = batch.lastChange();
            deliver(batch, inSync);
            return true;
        }
        if (!hasContent) {
            lastChange = batch.lastChange();
        }
        if (!hasContent && !batch.isLast()) {
            ready(); // Other watches get their turn in between.
        } else if (budget.hasUnread(this)) {
            // Detects whether the client has read it.
            probing = true;
            watchSink.probe();
        }
        return false;
    }

    private void deliver(WatchedStatuses.Batch batch, boolean inSync) {
        WatchResponse.Builder message = WatchResponse.newBuilder().setInSync(inSync);
        batch.statuses().stream()
                .filter(status -> scope.allowed().test(status.key().namespace()))
                .forEach(status -> message.addStatuses(StatusMessages.wire(detachedCopy(status), scope.withTokens())));
        batch.removed().stream()
                .filter(key -> scope.allowed().test(key.namespace()))
                .forEach(key -> message.addRemoved(StatusMessages.wire(key)));
        if (inSync || message.getStatusesCount() > 0 || message.getRemovedCount() > 0) {
            inSyncSent |= inSync;
            if (batch.bytes() >= COUNTED_BYTES) {
                budget.wrote(this, batch.bytes(), nanos.getAsLong());
            }
            watchSink.send(message.build());
        }
    }

    /**
     * A copy with its own attributes. The attributes in the table must not stay decoded, which takes several times
     * their size.
     */
    private static LeaseStatus detachedCopy(LeaseStatus status) {
        Entry entry = status.entry();
        if (entry.attributes().encodedSize() == Attributes.NONE.encodedSize()) {
            return status;
        }
        Attributes copy = Attributes.decode(entry.attributes().encoded());
        return new LeaseStatus(entry.withAttributes(entry.version(), copy), status.state(), status.remaining());
    }

    private static StatusRuntimeException tooSlow() {
        return WireErrors.exhausted(
                "SLOW_READER",
                "more keys were removed than the server keeps for a slow reader; start a new watch",
                Duration.ofSeconds(1));
    }
}
