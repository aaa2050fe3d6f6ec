package dev.holdfast.internal.holding;

import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.TransactionalLease;
import dev.holdfast.support.BlockingCalls;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease as users see it. The client refers to the {@link HeldLease} behind it, and never to this object. So a lease
 * that was not closed can be noticed when this object becomes unreachable, see {@link UnreachableLeases}.
 */
class LeaseHandle implements TransactionalLease {
    private static final Logger log = LoggerFactory.getLogger(Lease.class);

    final HeldLease held;

    LeaseHandle(HeldLease held) {
        this.held = held;
    }

    /** The handle of an anchor. */
    static final class OfAnchor extends LeaseHandle implements Anchor {
        OfAnchor(AnchorLease anchor) {
            super(anchor);
        }
    }

    private <T> T await(Function<LeaseService, CompletionStage<T>> call) {
        return BlockingCalls.uninterruptibly(held.environment(), () -> call.apply(held.requests.forWaitingCaller()));
    }

    @Override
    public Key key() {
        return held.key();
    }

    @Override
    public Holder holder() {
        return held.holder();
    }

    @Override
    public Token token() {
        return held.token();
    }

    @Override
    public Fence fence() {
        return held.fence();
    }

    @Override
    public boolean hasFence() {
        return held.hasFence();
    }

    @Override
    public Duration term() {
        return held.term().duration();
    }

    @Override
    public Attributes attributes() {
        return held.attributes();
    }

    @Override
    public boolean isHeld() {
        return held.isHeld();
    }

    @Override
    public Duration remaining() {
        return held.remaining();
    }

    @Override
    public void checkHeld() {
        held.checkHeld();
    }

    @Override
    public Lease onLost(Consumer<LostReason> callback) {
        held.onLost(callback);
        return this;
    }

    @Override
    public Lease onExpiring(Duration before, Runnable callback) {
        held.onExpiring(before, callback);
        return this;
    }

    @Override
    public CompletionStage<Void> renewAsync() {
        return held.renew(held.requests);
    }

    @Override
    public CompletionStage<Boolean> releaseAsync() {
        return held.release(held.requests);
    }

    @Override
    public CompletionStage<Boolean> releaseToAsync(String next) {
        return held.release(Holder.of(next), held.requests);
    }

    @Override
    public boolean releaseTo(String next) {
        Holder holder = Holder.of(next);
        return await(waiting -> held.release(holder, waiting));
    }

    @Override
    public CompletionStage<Void> doneAsync(AttributePatch patch) {
        return held.done(patch, held.requests);
    }

    @Override
    public void stopRelying() {
        held.stopRelying();
    }

    @Override
    public void noteDone() {
        held.noteDone();
    }

    @Override
    public CompletionStage<Void> updateAsync(AttributePatch patch) {
        return held.update(patch, held.requests);
    }

    @Override
    public Token detach() {
        return held.detach();
    }

    @Override
    public void renew() {
        await(held::renew);
    }

    @Override
    public boolean release() {
        return await(held::release);
    }

    @Override
    public void done(AttributePatch patch) {
        await(waiting -> held.done(patch, waiting));
    }

    @Override
    public void update(AttributePatch patch) {
        await(waiting -> held.update(patch, waiting));
    }

    @Override
    public void close() {
        await(waiting -> held.release(waiting).exceptionally(this::notReleased));
    }

    private boolean notReleased(Throwable error) {
        if (Futures.cause(error) instanceof StoreException) {
            log.warn("{} was not released; it ends with its term", key(), error);
        } else {
            // The client is closed: it has released its remaining leases.
            log.debug("{} was not released again", key(), error);
        }
        return false;
    }

    @Override
    public String toString() {
        return held.toString();
    }
}
