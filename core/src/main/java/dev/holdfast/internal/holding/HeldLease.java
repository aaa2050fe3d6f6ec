package dev.holdfast.internal.holding;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ValidityRules.Tenure;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease that this process was granted: for how long it is valid here, and how it ends.
 *
 * <p>It is a small state machine: held, until it ends once and for ever. It ends because this process ended it, or
 * because it was lost. Its {@link Tenure} says for how long it is valid; each renewal replaces it. Both are volatile,
 * so that {@link #isHeld} needs no lock; the lock orders their changes and guards the callbacks, and is never held
 * while calling out.
 */
public class HeldLease {
    final LeaseService requests;
    private final Key key;
    private final LeaseRequest.Acquire granted;
    private final Fence fence;
    private final LeaseProof leaseProof;
    private final @Nullable AnchorLease anchor;
    private final RenewalTimer renewalTimer;

    private volatile Tenure tenure;
    private volatile Term term;
    private volatile Attributes attributes;
    private volatile @Nullable End end;
    private volatile @Nullable CompletableFuture<Boolean> released;
    private volatile boolean done;

    private final List<Runnable> whenEnded = new ArrayList<>(1);
    private final List<Consumer<LostReason>> onLost = new ArrayList<>(0);
    private final CallbackQueue callbacks;
    private final LeaseUpkeep leaseUpkeep;
    private UnreachableLeases.@Nullable Watch watch;

    HeldLease(
            LeaseService leaseRequests,
            RenewalTimer renewalTimer,
            Entry entry,
            LeaseRequest.Acquire granted,
            Tenure tenure,
            Terms terms) {
        this.requests = leaseRequests;
        this.renewalTimer = renewalTimer;
        this.key = entry.key();
        this.granted = granted;
        this.fence = entry.fence();
        this.leaseProof = new LeaseProof(leaseRequests, provingToken(leaseRequests, entry, granted));
        this.attributes = entry.attributes();
        this.tenure = tenure;
        this.term = HeldLeases.countedTerm(granted.term(), entry);
        this.anchor = terms.anchor();
        this.callbacks = new CallbackQueue(leaseRequests.environment());
        this.leaseUpkeep = new LeaseUpkeep(this, renewalTimer, terms.autoRenew());
    }

    /** In layouts where a renewal changes the token, a grant that was confirmed by a renewal has a new token by now. */
    private static Token provingToken(LeaseService leaseRequests, Entry entry, LeaseRequest.Acquire granted) {
        boolean changes = !leaseRequests.features().has(StoreFeature.LASTING_TOKEN);
        return changes && entry.grant() != null ? entry.grant().token() : granted.token();
    }

    /** How the lease is kept alive: by renewals in the background or by the caller, or through an anchor. */
    public record Terms(boolean autoRenew, @Nullable AnchorLease anchor) {}

    /** How the lease ended: lost, with the reason; or ended by this process, without one. */
    private record End(@Nullable LostReason reason) {}

    public Key key() {
        return key;
    }

    public Holder holder() {
        return granted.holder();
    }

    public Token token() {
        return leaseProof.token();
    }

    public Fence fence() {
        requests.features().require(StoreFeature.FENCE, key);
        return fence;
    }

    public boolean hasFence() {
        return requests.features().has(StoreFeature.FENCE);
    }

    /** The term that this process counts. */
    public Term term() {
        return term;
    }

    public Attributes attributes() {
        return attributes;
    }

    final HostEnvironment environment() {
        return requests.environment();
    }

    public boolean isHeld() {
        if (end != null) {
            return false;
        }
        if (remaining().isZero()) {
            // Once reported as lost, it stays lost.
            lose(reasonOfExpiry());
            return false;
        }
        return true;
    }

    public Duration remaining() {
        if (end != null || (anchor != null && anchor.hasEnded())) {
            return Duration.ZERO;
        }
        return requests.validity().remaining(tenure, anchor == null ? null : anchor.tenure(), requests.reading());
    }

    final boolean hasEnded() {
        return end != null;
    }

    final Tenure tenure() {
        return tenure;
    }

    public void checkHeld() {
        if (!isHeld()) {
            throw notHeld(Objects.requireNonNull(end));
        }
    }

    void onLost(Consumer<LostReason> callback) {
        LostReason already;
        synchronized (this) {
            already = end == null ? null : end.reason();
            if (end == null) {
                onLost.add(callback);
            }
        }
        if (already != null) {
            callbacks.add(() -> callback.accept(already));
        }
    }

    void onExpiring(Duration before, Runnable callback) {
        HeldLease kept = anchor == null ? this : anchor;
        Duration most = kept.term().duration().multipliedBy(2).dividedBy(3);
        ArgumentCheck.positive("before", before, most);
        // The warning belongs to the lease or anchor that is renewed. It must be removed there when this lease ends.
        whenEnded(kept.leaseUpkeep.warn(
                before,
                () -> callbacks.add(() -> {
                    if (!hasEnded()) {
                        callback.run();
                    }
                })));
    }

    /** @param through {@link #requests}, perhaps for a waiting caller; so are the parameters of the other requests */
    CompletionStage<Void> renew(LeaseService through) {
        End over = end;
        if (over != null) {
            return CompletableFuture.failedFuture(notHeld(over));
        }
        LeaseRequest.Renew request = leaseProof.renewal();
        CompletableFuture<Answer> answer =
                leaseUpkeep.isAuto() ? through.submit(key, request, deadlineNanos()) : through.submit(key, request);
        CompletableFuture<Void> result = new CompletableFuture<>();
        Futures.whenDone(answer, (value, error) -> renewed(value, error, result));
        return result;
    }

    private void renewed(@Nullable Answer answer, @Nullable Throwable error, CompletableFuture<Void> result) {
        if (answer instanceof Answer.Applied applied) {
            extend(applied, result);
        } else if (answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost lost) {
            lose(lost.reason());
            result.completeExceptionally(new LeaseLostException(key, lost.reason()));
        } else {
            Throwable cause = error == null ? new IllegalStateException("renewal: " + answer) : Futures.cause(error);
            leaseUpkeep.failed(cause instanceof StoreException);
            result.completeExceptionally(cause);
        }
    }

    private void extend(Answer.Applied applied, CompletableFuture<Void> result) {
        long leftNanos = remaining().toNanos();
        Term before = term;
        End over;
        synchronized (this) {
            over = end;
            if (over == null) {
                term = HeldLeases.countedTerm(granted.term(), applied.entry());
                tenure = requests.validity().tenure(term, applied.firstSent(), applied.lastSent(), applied.answered());
                noteWritten(applied);
                leaseUpkeep.renewed();
            }
        }
        if (over != null) {
            // It stays ended here, but is not released: a caller that has finished its work meanwhile can still mark it
            // done.
            result.completeExceptionally(notHeld(over));
            return;
        }
        if (!term.equals(before)) {
            renewalTimer.plan(this); // A time planned by the previous term may be too late.
        }
        requests.listener().onRenewed(key, leftNanos);
        result.complete(null);
    }

    private RuntimeException notHeld(End over) {
        return over.reason() == null
                ? new IllegalStateException(key + ": this process has ended the lease")
                : new LeaseLostException(key, over.reason());
    }

    private void noteWritten(Answer.Applied applied) {
        if (applied.entry() != null) {
            attributes = applied.entry().attributes();
        }
        if (applied.entry() != null && applied.entry().grant() != null) {
            leaseProof.renewed(applied.entry().grant().token());
        }
    }

    final CompletionStage<Boolean> release(LeaseService through) {
        return release(null, through);
    }

    /** @param next the holder that should be granted the key next; null if any */
    final CompletionStage<Boolean> release(@Nullable Holder next, LeaseService through) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        boolean first;
        synchronized (this) {
            first = released == null;
            if (first) {
                released = result;
            }
        }
        if (!first) {
            return Objects.requireNonNull(released);
        }
        // The lease must end here before the release is sent: after the release, others may be granted the key.
        finish(new End(null));
        if (done) {
            result.complete(false);
            return result;
        }
        Futures.whenDone(
                leaseProof.send(token -> through.release(key, new LeaseRequest.Release(token, next))),
                (answer, error) -> {
                    if (error != null) {
                        result.completeExceptionally(Futures.cause(error));
                    } else {
                        result.complete(!(answer instanceof Answer.Refused));
                    }
                });
        return result;
    }

    public Token detach() {
        if (anchor != null || key.isAnchor()) {
            throw new IllegalStateException(key + ": an anchor of this process keeps the lease alive");
        }
        checkHeld();
        if (leaseProof.isInDoubt()) {
            throw new IllegalStateException(
                    key + ": a renewal that changes the token is under way, or was not answered");
        }
        synchronized (this) {
            if (released == null) {
                released = CompletableFuture.completedFuture(false);
            }
        }
        finish(new End(null));
        return token();
    }

    CompletionStage<Void> done(AttributePatch patch, LeaseService through) {
        requests.features().require(key, new LeaseRequest.Done(token(), patch));
        // As with a release: once the key is done, another client may reopen it and be granted it before the answer
        // arrives.
        finish(new End(null));
        return leaseProof
                .send(token -> through.submit(key, new LeaseRequest.Done(token, patch)))
                .thenAccept(answer -> {
                    refuseIfLost(answer);
                    done = true;
                    if (answer instanceof Answer.Applied applied) {
                        noteWritten(applied);
                    }
                });
    }

    /** Ends the lease here, and leaves the write that finishes the key to the caller. */
    final void stopRelying() {
        finish(new End(null));
    }

    final void noteDone() {
        finish(new End(null));
        done = true;
    }

    final CompletionStage<Void> update(AttributePatch patch, LeaseService through) {
        return leaseProof
                .send(token -> through.submit(key, new LeaseRequest.Update(token, patch)))
                .thenAccept(answer -> {
                    refuseIfLost(answer);
                    if (answer instanceof Answer.Applied applied) {
                        noteWritten(applied);
                    }
                });
    }

    private void refuseIfLost(Answer answer) {
        if (answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost lost) {
            lose(lost.reason());
            throw new LeaseLostException(key, lost.reason());
        }
    }

    /** Ends the lease as lost, unless it has ended already. */
    final void lose(LostReason reason) {
        if (finish(new End(reason))) {
            requests.listener().onLost(key, reason);
            List<Consumer<LostReason>> callbacksToRun;
            synchronized (this) {
                callbacksToRun = List.copyOf(onLost);
                onLost.clear();
            }
            callbacksToRun.forEach(callback -> callbacks.add(() -> callback.accept(reason)));
        }
    }

    private boolean finish(End newEnd) {
        synchronized (this) {
            if (end != null) {
                return false;
            }
            end = newEnd;
            if (watch != null) {
                watch.clear(); // Nothing is left to report.
            }
        }
        renewalTimer.forget(this);
        ended(newEnd.reason());
        return true;
    }

    /** @param reason null if this process ended it */
    void ended(@Nullable LostReason reason) {
        if (anchor != null) {
            anchor.forget(this);
        }
        List<Runnable> actions;
        synchronized (this) {
            actions = List.copyOf(whenEnded);
            whenEnded.clear();
        }
        actions.forEach(Runnable::run);
    }

    /** Runs {@code action}, which must be short, when the lease ends, or immediately if it has ended. */
    final void whenEnded(Runnable action) {
        synchronized (this) {
            if (end == null) {
                whenEnded.add(action);
                return;
            }
        }
        action.run();
    }

    /** Keeps the watch of the handle that users have. */
    final synchronized void keep(UnreachableLeases.Watch newWatch) {
        watch = newWatch;
    }

    final LeaseUpkeep upkeep() {
        return leaseUpkeep;
    }

    /** When its own term ends, by the ticker. */
    final long deadlineNanos() {
        return tenure.start().nanos() + tenure.term().toNanos();
    }

    private LostReason reasonOfExpiry() {
        AnchorLease through = anchor;
        return through != null
                ? through.lostReason()
                : leaseUpkeep.isStoreInTrouble() ? LostReason.STORE_UNREACHABLE : LostReason.EXPIRED;
    }

    /** Why the lease is lost; the reason for its expiry if it has not ended yet. */
    public final LostReason lostReason() {
        End ended = end;
        if (ended == null) {
            return reasonOfExpiry();
        }
        return ended.reason() == null ? LostReason.EVICTED : ended.reason();
    }

    @Override
    public String toString() {
        return "Lease[" + key + ", fence " + fence + ", " + (end == null ? "held" : "ended") + "]";
    }
}
