package dev.holdfast.internal.holding;

import dev.holdfast.AttributePatch;
import dev.holdfast.Lease;
import dev.holdfast.StoreException;
import dev.holdfast.internal.BlockingCalls;
import dev.holdfast.internal.Futures;
import dev.holdfast.store.HostEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The blocking forms of a lease, by waiting for the others. */
abstract class BlockingLease implements Lease {
    private static final Logger log = LoggerFactory.getLogger(Lease.class);

    abstract HostEnvironment runtime();

    @Override
    public final void renew() {
        BlockingCalls.uninterruptibly(runtime(), this::renewAsync);
    }

    @Override
    public final boolean release() {
        return BlockingCalls.uninterruptibly(runtime(), this::releaseAsync);
    }

    @Override
    public final void done(AttributePatch patch) {
        BlockingCalls.uninterruptibly(runtime(), () -> doneAsync(patch));
    }

    @Override
    public final void update(AttributePatch patch) {
        BlockingCalls.uninterruptibly(runtime(), () -> updateAsync(patch));
    }

    @Override
    public final void close() {
        BlockingCalls.uninterruptibly(
                runtime(),
                () -> releaseAsync().handle((released, error) -> {
                    if (error != null && Futures.cause(error) instanceof StoreException) {
                        log.warn("{} was not released; it ends with its term", key(), error);
                    } else if (error != null) {
                        // The client is closed: it has released what it still held.
                        log.debug("{} was not released again", key(), error);
                    }
                    return released != null && released;
                }));
    }
}
