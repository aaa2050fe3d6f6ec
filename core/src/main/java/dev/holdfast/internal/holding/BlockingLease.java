package dev.holdfast.internal.holding;

import dev.holdfast.AttributePatch;
import dev.holdfast.Lease;
import dev.holdfast.StoreException;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.BlockingCalls;
import dev.holdfast.support.Futures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The blocking methods of a lease. Each waits for its asynchronous form. */
abstract class BlockingLease implements Lease {
    private static final Logger log = LoggerFactory.getLogger(Lease.class);

    abstract HostEnvironment environment();

    @Override
    public final void renew() {
        BlockingCalls.uninterruptibly(environment(), this::renewAsync);
    }

    @Override
    public final boolean release() {
        return BlockingCalls.uninterruptibly(environment(), this::releaseAsync);
    }

    @Override
    public final void done(AttributePatch patch) {
        BlockingCalls.uninterruptibly(environment(), () -> doneAsync(patch));
    }

    @Override
    public final void update(AttributePatch patch) {
        BlockingCalls.uninterruptibly(environment(), () -> updateAsync(patch));
    }

    @Override
    public final void close() {
        BlockingCalls.uninterruptibly(
                environment(),
                () -> releaseAsync().handle((released, error) -> {
                    if (error != null && Futures.cause(error) instanceof StoreException) {
                        log.warn("{} was not released; it ends with its term", key(), error);
                    } else if (error != null) {
                        // The client is closed: it has released its remaining leases.
                        log.debug("{} was not released again", key(), error);
                    }
                    return released != null && released;
                }));
    }
}
