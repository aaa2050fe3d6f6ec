package dev.holdfast.server;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LostReason;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The proofs that a token holds a grant of an anchor. Which grant that is never changes, so results are kept: a client
 * that acquires thousands of leases under one anchor costs one read.
 *
 * <p>Whether the anchor is still held is read again only if this client has seen it end. That is enough: a lease under
 * an ended grant of an anchor is free from the beginning, and a holder stops relying on it no later than on its anchor.
 */
final class AnchorProofs {
    /** Far more than the sessions of one process. */
    private static final int KEPT = 10_000;

    private final LeaseService service;
    private final Map<AnchorProof, Proven> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<AnchorProof, Proven> eldest) {
            return size() > KEPT;
        }
    };

    AnchorProofs(LeaseService service) {
        this.service = service;
    }

    /** The grant of an anchor, and its term. */
    record Proven(AnchorRef ref, Term term) {}

    /** The grant that the token holds. Fails with {@link LeaseLostException} if the token does not hold the anchor. */
    CompletableFuture<Proven> prove(AnchorProof proof) {
        if (!proof.key().isAnchor()) {
            throw ArgumentCheck.bad("under", proof.key(), "an anchor");
        }
        Proven before = find(proof);
        ObservedEntry last = service.lastObserved(proof.key());
        Entry lastEntry = last == null ? null : last.entry();
        if (before != null && (lastEntry == null || lastEntry.isHeldBy(proof.token()))) {
            return CompletableFuture.completedFuture(before);
        }
        return service.statuses()
                .get(proof.key())
                .thenApply(status ->
                        keep(proof, proven(proof, status.map(LeaseStatus::entry).orElse(null))));
    }

    private static Proven proven(AnchorProof proof, @Nullable Entry entry) {
        Grant grant = entry == null ? null : entry.grant();
        if (entry == null || grant == null || !entry.isHeldBy(proof.token())) {
            boolean taken = grant != null && !grant.token().equals(proof.token());
            throw new LeaseLostException(proof.key(), taken ? LostReason.TAKEN : LostReason.EVICTED);
        }
        return new Proven(new AnchorRef(proof.key(), entry.fence()), grant.term());
    }

    private synchronized @Nullable Proven find(AnchorProof proof) {
        return known.get(proof);
    }

    private synchronized Proven keep(AnchorProof proof, Proven proven) {
        known.put(proof, proven);
        return proven;
    }
}
