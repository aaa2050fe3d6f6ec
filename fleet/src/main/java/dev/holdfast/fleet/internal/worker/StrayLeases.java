package dev.holdfast.fleet.internal.worker;

import dev.holdfast.Anchor;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Grant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The release of leases that are held in this worker's name although no code knows of them: a release that failed, or a
 * grant whose response was lost. By itself such a lease would end with its term. But a lease under an anchor lasts as
 * long as the worker.
 */
public final class StrayLeases {
    private StrayLeases() {}

    /** Completes when the store shows that {@code key} is not held through {@code anchor}. */
    public static CompletionStage<Void> release(AsyncLeases leases, Key key, @Nullable Anchor anchor) {
        if (anchor == null) {
            return CompletableFuture.completedFuture(null);
        }
        return LeaseService.of(leases).statuses().getWithToken(key, AnchorProof.of(anchor)).thenCompose(found -> {
            Grant grant = found.filter(status -> isHeldThrough(status, anchor))
                    .map(status -> status.entry().grant())
                    .orElse(null);
            return grant == null
                    ? CompletableFuture.completedFuture(null)
                    : leases.release(key, grant.token()).thenAccept(released -> {});
        });
    }

    private static boolean isHeldThrough(LeaseStatus status, Anchor anchor) {
        AnchorRef through = status.entry().heldThrough();
        return Objects.equals(through, new AnchorRef(anchor.key(), anchor.fence()));
    }
}
