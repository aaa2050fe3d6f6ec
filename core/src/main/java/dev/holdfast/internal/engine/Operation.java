package dev.holdfast.internal.engine;

import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Change;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: from the queue, through decisions, looks, writes and retries, to its answer.
 *
 * <p>At any time it is in one place only: the queue, a batch under way, the reader's queue, or a timer. The thread that
 * has it there may touch its fields; handing it on publishes them. Only {@link #claimSend} and {@link #expire} are called
 * from elsewhere.
 */
final class Operation {
    final Key key;
    final Request request;
    /** Its place among all requests: a store's answer may refuse it only if asked for later. */
    final long begun;

    final long begunNanos;
    final long deadlineNanos;
    final CompletableFuture<Answer> future = new CompletableFuture<>();
    /** What the call that this belongs to has written so far, this operation and earlier ones. */
    private final CallWrites writes;

    /** Own copies of what was seen for it, in case the cache forgets. */
    @Nullable
    Seen seen;

    @Nullable
    Seen anchorSeen;

    @Nullable
    Key anchor;

    Fence floor = Fence.NONE;
    int attempts;
    /** How often in a row it was granted with an answer that took longer than the term. */
    int lateGrants;

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

    /** It has its answer, or was given up: nothing more is sent for it. */
    boolean settled;

    /** Its batch is not over yet. Guarded by the lock of {@link Lanes}. */
    boolean inBatch;

    /** It was resumed before its batch was over. Guarded by the lock of {@link Lanes}. */
    boolean resumeAtEnd;

    /** Its caller was answered because time ran out before anything was sent. Guarded by this. */
    private boolean expired;

    /** A send of it may have had an effect, or may yet have. Guarded by this. */
    private boolean exposed;

    /** It renews a grant that another call with the same token made. */
    boolean found;

    /** Whether what it was granted may be freed if it cannot be delivered: no caller relies on it. */
    boolean mayGiveBack() {
        return !found && !writes.isDelivered();
    }

    Operation(Key key, Request request, CallWrites writes, long begun, long begunNanos, long deadlineNanos) {
        this.writes = writes;
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

    /** Whether it is unknown if its change was applied, and this is still being found out. */
    boolean isInDoubt() {
        return !settled && (doubtful || bar != null);
    }

    /** Called before it is sent. False if its caller was told that nothing was, so that nothing may be. */
    synchronized boolean claimSend() {
        if (expired) {
            return false;
        }
        exposed = true;
        return true;
    }

    /** The store answered the last send, or refused to take it: what is left is the doubt about earlier ones. */
    synchronized void sendAnswered() {
        exposed = doubtful || uncertain || bar != null;
    }

    /** Called when time is over. True if nothing was sent that could have had an effect; then nothing ever will be. */
    synchronized boolean expire() {
        expired |= !exposed;
        return !exposed;
    }

    void decided(Change newChange, @Nullable Entry replaced) {
        Token grantee = request.grantee();
        if (grantee != null && newChange.next() != null) {
            Grant before = replaced == null || !replaced.isHeldBy(grantee) ? null : replaced.grant();
            found |= before != null && !writes.made(before.beat());
            writes.add(newChange.next().version());
        }
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
        return !(request instanceof Request.Acquire || request instanceof Request.Import);
    }
}
