package dev.holdfast.internal.engine;

import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Change;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: from the queue, through decisions, looks, writes and retries, to its answer.
 *
 * <p>At any time it is in one place only: the queue, a batch under way, the reader's queue, or a timer. Whoever
 * has it may touch its fields; handing it on is what publishes them.
 */
final class Operation {
    final Key key;
    final Request request;
    /** Its place among all requests: a store's answer may refuse it only if asked for later. */
    final long begun;

    final long begunNanos;
    final long deadlineNanos;
    final CompletableFuture<Answer> future = new CompletableFuture<>();

    /** Own copies of what was seen for it, in case the cache forgets. */
    @Nullable
    Seen seen;

    @Nullable
    Seen anchorSeen;

    @Nullable
    Key anchor;

    Fence floor = Fence.NONE;
    int attempts;

    /** What was sent, and is sent again unchanged while nobody knows whether it was applied. */
    @Nullable
    Change change;

    /** The entry that {@link #change} was to replace. */
    @Nullable
    Entry expected;

    @Nullable
    Moment firstSent;

    @Nullable
    Moment lastSent;
    /** A send of {@link #change} may have been applied, or may yet be. */
    boolean doubtful;
    /** An earlier change of it may have been applied and overwritten since: that it was not can no longer be said. */
    boolean uncertain;
    /** Given up: what is sent instead, so that {@link #change} can never apply. */
    @Nullable
    Change bar;

    long settleDeadlineNanos;

    Operation(Key key, Request request, long begun, long begunNanos, long deadlineNanos) {
        this.key = key;
        this.request = request;
        this.begun = begun;
        this.begunNanos = begunNanos;
        this.deadlineNanos = deadlineNanos;
    }

    /** What to send next, if that is settled already; null: decide. */
    @Nullable
    Change pending() {
        return bar != null ? bar : doubtful ? change : null;
    }

    void decided(Change newChange, @Nullable Entry replaced) {
        change = newChange;
        expected = replaced;
        firstSent = null;
        lastSent = null;
    }

    void sentAt(Moment moment) {
        if (bar == null) {
            lastSent = moment;
            if (firstSent == null) {
                firstSent = moment;
            }
        }
    }

    /** Holders go before newcomers when the queue is full: their number is bounded, and they have more to lose. */
    boolean isUrgent() {
        return !(request instanceof Request.Acquire);
    }
}
