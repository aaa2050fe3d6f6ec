package dev.holdfast.fleet.internal.units;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Grant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The leases that a worker holds through one anchor: its units, and as planner the assignments of all workers. */
public record AnchoredLeases(AsyncLeases leases, Anchor anchor, String worker) {
    public CompletionStage<AcquireResult> tryAcquire(Key key) {
        return leases.tryAcquire(key, options());
    }

    public AcquireOptions options() {
        return AcquireOptions.defaults().under(anchor).holder(worker);
    }

    /**
     * Releases a lease that is held in this worker's name although no code knows of it: a release that failed, or a
     * grant whose response was lost. By itself such a lease would end with its term. But a lease under an anchor lasts
     * as long as the worker.
     *
     * <p>Completes when the store shows that {@code key} is not held through the anchor.
     */
    public CompletionStage<Void> releaseStray(Key key) {
        AnchorRef through = new AnchorRef(anchor.key(), anchor.fence());
        return LeaseService.of(leases)
                .statuses()
                .getWithToken(key, AnchorProof.of(anchor))
                .thenCompose(found -> {
                    Grant grant = found.filter(
                                    status -> through.equals(status.entry().heldThrough()))
                            .map(status -> status.entry().grant())
                            .orElse(null);
                    return grant == null
                            ? CompletableFuture.completedFuture(null)
                            : leases.release(key, grant.token()).thenAccept(released -> {});
                });
    }
}
