package dev.holdfast.internal.pipeline;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the pipeline, from the queue to its answer.
 *
 * <pre>
 *              conflict, or failed without effect
 *            +------------------------------------+
 *            v                                    |
 *       Undecided ------- a write is decided --> Writing -- applied --> Settled
 *            |                                    |                        ^
 *            |                                    | no answer, and given up |
 *            |                                    v                        |
 *            |                                 Barring -- answered --------+
 *            +------- answered without a write ----------------------------+
 * </pre>
 *
 * <p>A request in {@code Writing} is in doubt once a send of its change got no answer. The same change is then sent
 * again until the store answers. A request that is given up while in doubt writes a bar: a change after which its own
 * change can never apply.
 *
 * <p>At any time a request is in one place only: the queue, a batch, the reader, or a timer. The thread that has it
 * there may use its fields; passing it on publishes them. Only {@link #claimSend} and {@link #expire} are called from
 * elsewhere.
 */
final class PendingRequest {
    final Key key;
    final LeaseRequest request;
    /** Its place in the order of questions and answers: only answers to later questions may refuse it. */
    final long begun;

    final long begunNanos;
    final long deadlineNanos;
    final CompletableFuture<Answer> future = new CompletableFuture<>();
    /** The writes of the call that this request is an attempt of. */
    private final CallWrites writes;

    private State state = new State.Undecided();
    /** An earlier change may have been applied and overwritten since. So "not applied" can no longer be reported. */
    private boolean uncertain;
    /** It renews a grant that another call with the same token made. */
    private boolean found;

    /** Failed attempts in a row, for the delay before the next one. */
    int attempts;
    /** Grants in a row whose answer took longer than their term. */
    int lateGrants;
    /** The highest fence that the store reported for keys without an entry. */
    private Fence floor = Fence.NONE;

    /** The last answer about the key that was read for this request, in case the cache evicts it. */
    private @Nullable ObservedEntry observed;
    /** The same for the anchor of the key. */
    private @Nullable ObservedAnchor observedAnchor;

    /** Guarded by this: the timer of the deadline reads it, too. */
    private Exposure exposure = Exposure.NONE;

    /** Guarded by the lock of the {@link RequestQueue}. */
    Place place = Place.OUTSIDE;

    PendingRequest(Key key, LeaseRequest request, CallWrites writes, long begun, long begunNanos, long deadlineNanos) {
        this.writes = writes;
        this.key = key;
        this.request = request;
        this.begun = begun;
        this.begunNanos = begunNanos;
        this.deadlineNanos = deadlineNanos;
    }

    /** The states of a request. */
    sealed interface State {
        /** No change is decided, or the last one has had no effect. */
        record Undecided() implements State {}

        /**
         * A change is decided.
         *
         * @param replaced the entry that the change is to replace; null if there is none
         * @param firstSent null until it is sent
         * @param inDoubt whether a send of it may have been applied, or may yet be
         */
        record Writing(
                Change change,
                @Nullable Entry replaced,
                @Nullable ClockReading firstSent,
                @Nullable ClockReading lastSent,
                boolean inDoubt)
                implements State {
            Writing sentAt(ClockReading now) {
                return new Writing(change, replaced, firstSent == null ? now : firstSent, now, inDoubt);
            }

            Writing doubted(boolean byLastSend) {
                return new Writing(change, replaced, firstSent, lastSent, inDoubt || byLastSend);
            }
        }

        /** The request is given up. The bar is sent until the store answers, or until {@code deadlineNanos}. */
        record Barring(Writing given, Change bar, long deadlineNanos) implements State {}

        /** The request has its answer, or was abandoned. Nothing more is sent for it. */
        record Settled() implements State {}
    }

    /** Whether a send may have had an effect, or the caller was promised that there is none. */
    private enum Exposure {
        NONE,
        /** A send may have had an effect, or may yet have one. */
        SENT,
        /** The deadline passed before a send, and the caller has its answer: nothing may be sent any more. */
        EXPIRED
    }

    /** The place of a request in the queue. */
    enum Place {
        OUTSIDE,
        IN_BATCH,
        /** It was resumed before its batch was over. */
        RESUMED_IN_BATCH
    }

    private record ObservedAnchor(Key key, ObservedEntry observed) {}

    State state() {
        return state;
    }

    /** Whether it is not known yet if its change was applied. */
    boolean isInDoubt() {
        return state instanceof State.Barring || (state instanceof State.Writing writing && writing.inDoubt());
    }

    boolean isBarring() {
        return state instanceof State.Barring;
    }

    /** The send, or repeated send, that must come before anything else is decided; null if there is none. */
    NextStep.@Nullable Send unsettled() {
        if (state instanceof State.Barring barring) {
            return new NextStep.Send(barring.bar());
        }
        return state instanceof State.Writing writing && writing.inDoubt() ? new NextStep.Send(writing.change()) : null;
    }

    void decided(Change change, @Nullable Entry replaced) {
        Token grantee = request.grantee();
        if (grantee != null && change.next() != null) {
            found |= replaced != null && replaced.isHeldBy(grantee) && !writes.made(replaced);
            writes.add(change.next().version());
        }
        state = new State.Writing(change, replaced, null, null, false);
    }

    /** The change had no effect, or another that the next decision will find. */
    void undecide() {
        state = new State.Undecided();
        sendAnswered();
    }

    /** Notes that a send failed. */
    void sendFailed(boolean mayBeApplied) {
        if (state instanceof State.Writing writing) {
            state = writing.doubted(mayBeApplied);
        }
        sendAnswered();
    }

    void bar(Change bar, long settleDeadlineNanos) {
        if (state instanceof State.Barring barring) {
            state = new State.Barring(barring.given(), bar, barring.deadlineNanos());
        } else {
            attempts = 0;
            state = new State.Barring(writing(), bar, settleDeadlineNanos);
        }
    }

    void settle() {
        state = new State.Settled();
    }

    /** The change of the request itself, also while it is being barred. */
    State.Writing writing() {
        return state instanceof State.Barring barring ? barring.given() : (State.Writing) state;
    }

    void sentAt(ClockReading now) {
        if (state instanceof State.Writing writing) {
            state = writing.sentAt(now);
        }
    }

    boolean isUncertain() {
        return uncertain;
    }

    void setUncertain() {
        uncertain = true;
    }

    boolean isFound() {
        return found;
    }

    /** Whether an undelivered grant may be released: no caller relies on it. */
    boolean mayRelease() {
        return !found && !writes.isDelivered();
    }

    Fence floor() {
        return floor;
    }

    void raiseFloor(Fence reported) {
        floor = floor.isAbove(reported) ? floor : reported;
    }

    void observed(Key observedKey, ObservedEntry entry) {
        if (observedKey.equals(key)) {
            observed = entry;
        } else {
            observedAnchor = new ObservedAnchor(observedKey, entry);
        }
    }

    /** The newest answer about {@code wanted}: the one that was read for this request, or the cached one. */
    @Nullable
    ObservedEntry newest(Key wanted, @Nullable ObservedEntry cached) {
        ObservedEntry own = wanted.equals(key) ? observed : ofAnchor(wanted);
        return own == null || (cached != null && cached.asked() >= own.asked()) ? cached : own;
    }

    private @Nullable ObservedEntry ofAnchor(Key anchor) {
        return observedAnchor != null && observedAnchor.key.equals(anchor) ? observedAnchor.observed : null;
    }

    /** Called before a send. False if the caller was promised that nothing was sent. */
    synchronized boolean claimSend() {
        if (exposure == Exposure.EXPIRED) {
            return false;
        }
        exposure = Exposure.SENT;
        return true;
    }

    /** The store answered the last send, or rejected it: only the doubt about earlier sends is left. */
    private synchronized void sendAnswered() {
        if (exposure == Exposure.SENT && !isInDoubt() && !uncertain) {
            exposure = Exposure.NONE;
        }
    }

    /** Called when the deadline has passed. True if no send can have had an effect; then nothing is ever sent. */
    synchronized boolean expire() {
        if (exposure == Exposure.NONE) {
            exposure = Exposure.EXPIRED;
        }
        return exposure == Exposure.EXPIRED;
    }

    /**
     * Whether the queue accepts it even when full: the number of holders is bounded, and a rejection could cost them a
     * lease.
     */
    boolean isUrgent() {
        return !(request instanceof LeaseRequest.Acquire || request instanceof LeaseRequest.Import);
    }
}
