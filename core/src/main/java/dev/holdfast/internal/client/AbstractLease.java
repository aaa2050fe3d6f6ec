package dev.holdfast.internal.client;

import dev.holdfast.Lease;
import dev.holdfast.internal.Await;
import dev.holdfast.internal.Futures;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The blocking forms of a lease, by waiting for the others. */
abstract class AbstractLease implements Lease {
    private static final Logger log = LoggerFactory.getLogger(Lease.class);

    abstract Runtime runtime();

    @Override
    public final void renew() {
        Await.uninterruptibly(runtime(), this::renewAsync);
    }

    @Override
    public final boolean release() {
        return Await.uninterruptibly(runtime(), this::releaseAsync);
    }

    @Override
    public final void done(AttributePatch patch) {
        Await.uninterruptibly(runtime(), () -> doneAsync(patch));
    }

    @Override
    public final void update(AttributePatch patch) {
        Await.uninterruptibly(runtime(), () -> updateAsync(patch));
    }

    @Override
    public final void close() {
        Await.uninterruptibly(
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
