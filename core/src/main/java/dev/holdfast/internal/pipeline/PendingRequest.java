package dev.holdfast.internal.pipeline;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.internal.rules.ClockReading;
import dev.holdfast.internal.rules.LeaseRequest;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: from the queue, through decisions, looks, writes and retries, to its answer.
 *
 * <p>At any time it is in one place only: the queue, a batch under way, the reader's queue, or a timer. The thread that
 * has it there may touch its fields; handing it on publishes them. Only {@link #claimSend} and {@link #expire} are called
 * from elsewhere.
 */
final class PendingRequest {
    final Key key;
    final LeaseRequest request;
    /** Its place among all requests: a store's answer may refuse it only if asked for later. */
    final long begun;

    final long begunNanos;
    final long deadlineNanos;
    final CompletableFuture<Answer> future = new CompletableFuture<>();
    /** What the call that this belongs to has written so far, this operation and earlier ones. */
    private final CallWrites writes;

    /** Own copies of what was seen for it, in case the cache forgets. */
    @Nullable
    CachedEntry seen;

    @Nullable
    CachedEntry anchorSeen;

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
    ClockReading firstSent;

    @Nullable
    ClockReading lastSent;
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

    /** Its batch is not over yet. Guarded by the lock of {@link RequestQueue}. */
    boolean inBatch;

    /** It was resumed before its batch was over. Guarded by the lock of {@link RequestQueue}. */
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

    PendingRequest(
            Key key, LeaseRequest leaseRequest, CallWrites writes, long begun, long begunNanos, long deadlineNanos) {
        this.writes = writes;
        this.key = key;
        this.request = leaseRequest;
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

    void sentAt(ClockReading clockReading) {
        if (bar == null) {
            lastSent = clockReading;
            if (firstSent == null) {
                firstSent = clockReading;
            }
        }
    }

    /** Holders go before newcomers when the queue is full: their number is bounded, and they have more to lose. */
    boolean isUrgent() {
        return !(request instanceof LeaseRequest.Acquire || request instanceof LeaseRequest.Import);
    }
}
