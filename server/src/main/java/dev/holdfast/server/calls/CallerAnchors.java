package dev.holdfast.server.calls;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LostReason;
import dev.holdfast.Token;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.server.security.AccessGuard;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.Answer;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The anchors of callers: the keys that store them, and the proofs that tokens hold them. Anchor names are separate for
 * each caller. A caller can neither acquire, renew nor release the anchor of another caller, nor occupy its name.
 *
 * <p>The first caller that uses a name gets the usual key, {@code ~anchors} and the name. The attribute {@link #CALLER}
 * of that key records the caller. Another caller that requests the same name gets a key of its own. So servers and
 * clients that do not know this scheme work together with newer ones, and older anchors keep their keys. The key that a
 * lease token holds is found by that token.
 *
 * <p>Names with a group ({@code group/name}, as in fleets) need a permission for the namespace of the group and are not
 * mapped. Nor are names on a server that does not authenticate callers.
 *
 * <p>Thread-safe.
 */
public final class CallerAnchors {
    /** The attribute that records which caller an anchor belongs to. */
    static final String CALLER = "~caller";

    /** Far more sessions than one process serves. */
    private static final int KEPT = 10_000;

    private final ServerComponents parts;
    /** Places found by a lease token. They never change, because a token stands for one grant of one key. */
    private final RecentMap<Sought, Place> places = new RecentMap<>(KEPT);
    /** Which grant a token holds never changes: thousands of leases under one anchor cost one read. */
    private final RecentMap<AnchorProof, Proven> proofs = new RecentMap<>(KEPT);

    public CallerAnchors(ServerComponents parts) {
        this.parts = parts;
    }

    private record Sought(String caller, Key key, Token token) {}

    /** The grant of an anchor, and its term. */
    record Proven(AnchorRef ref, Term term) {}

    /**
     * The key under which an anchor is stored.
     *
     * @param caller the caller recorded in the anchor's attributes; null if none is recorded
     */
    public record Place(Key key, @Nullable String caller) {
        /** Adds the caller, if any, to the patch. */
        public AttributePatch marked(AttributePatch patch) {
            return caller == null ? patch : patch.put(CALLER, caller);
        }
    }

    /** The place of the anchor that {@code token} holds or requests. Any other key is its own place. */
    public CompletableFuture<Place> find(ServiceRequestContext ctx, Key key, Token token) {
        String caller = key.isUngroupedAnchor() ? parts.guard().caller(ctx).orElse(null) : null;
        if (caller == null) {
            return CompletableFuture.completedFuture(new Place(key, null));
        }
        Sought sought = new Sought(AccessGuard.nameInKey(caller), key, token);
        Place known = places.get(sought);
        return known == null ? lookUp(sought) : CompletableFuture.completedFuture(known);
    }

    private CompletableFuture<Place> lookUp(Sought sought) {
        Key own = Key.ofAnchor(Holder.of(sought.key.name()), sought.caller);
        return parts.leases()
                .get(sought.key)
                .thenCombine(parts.leases().get(own), (usual, apart) -> choose(sought, usual, apart, own))
                .toCompletableFuture();
    }

    private Place choose(Sought sought, Optional<LeaseStatus> usual, Optional<LeaseStatus> apart, Key own) {
        Place usualPlace = new Place(sought.key, sought.caller);
        Place ownPlace = new Place(own, null);
        boolean isFree = usual.flatMap(status -> status.attributes().text(CALLER))
                .filter(recorded -> !recorded.equals(sought.caller))
                .isEmpty();
        if (isFree && isOf(usual, sought.token)) {
            return places.put(sought, usualPlace);
        } else if (isOf(apart, sought.token)) {
            return places.put(sought, ownPlace);
        }
        boolean isUsedApart = apart.filter(LeaseStatus::isHeld).isPresent();
        return isFree && !isUsedApart ? usualPlace : ownPlace;
    }

    private static boolean isOf(Optional<LeaseStatus> status, Token token) {
        return status.filter(some -> some.entry().isOf(token)).isPresent();
    }

    /**
     * Grants a key. An anchor is granted at its place, which is looked up again if another caller was granted it
     * meanwhile.
     */
    public CompletableFuture<Answer> grant(
            ServiceRequestContext ctx, Key key, LeaseRequest.Acquire ask, long waitNanos) {
        return Futures.chain(
                find(ctx, key, ask.token()),
                place -> {
                    CompletableFuture<Answer> outcome = grant(place, ask, waitNanos);
                    return place.caller == null
                            ? outcome
                            : Futures.chain(
                                    outcome,
                                    first -> grantElsewhere(ctx, key, ask, place, first),
                                    parts::releaseUndelivered);
                },
                parts::releaseUndelivered);
    }

    private CompletableFuture<Answer> grantElsewhere(
            ServiceRequestContext ctx, Key key, LeaseRequest.Acquire ask, Place first, Answer outcome) {
        if (!(outcome instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Held)) {
            return CompletableFuture.completedFuture(outcome);
        }
        return Futures.chain(
                find(ctx, key, ask.token()),
                second -> second.key.equals(first.key)
                        ? CompletableFuture.completedFuture(outcome)
                        : grant(second, ask, 0),
                parts::releaseUndelivered);
    }

    private CompletableFuture<Answer> grant(Place place, LeaseRequest.Acquire ask, long waitNanos) {
        return parts.service().acquire(place.key, ask.withAttributes(place.marked(ask.attributes())), waitNanos);
    }

    /**
     * The grant of the anchor that a caller shows a token for. Fails with {@link LeaseLostException} if the token does
     * not hold the anchor.
     *
     * <p>Whether the anchor is still held is read again only if this client has seen it end. That is enough: a lease
     * under an ended grant of an anchor is free from the beginning, and a holder stops relying on it no later than on
     * its anchor.
     */
    CompletableFuture<Proven> prove(ServiceRequestContext ctx, AnchorProof shown) {
        return Futures.chain(find(ctx, shown.key(), shown.token()), place -> {
            AnchorProof proof = new AnchorProof(place.key, shown.token());
            if (!proof.key().isAnchor()) {
                throw ArgumentCheck.bad("under", proof.key(), "an anchor");
            }
            Proven before = proofs.get(proof);
            ObservedEntry last = parts.service().lastObserved(proof.key());
            Entry lastEntry = last == null ? null : last.entry();
            if (before != null && (lastEntry == null || lastEntry.isHeldBy(proof.token()))) {
                return CompletableFuture.completedFuture(before);
            }
            return parts.service().statuses().get(proof.key()).thenApply(status -> {
                Entry entry = status.map(LeaseStatus::entry).orElse(null);
                return proofs.put(proof, proven(proof, entry));
            });
        });
    }

    private static Proven proven(AnchorProof proof, @Nullable Entry entry) {
        Grant grant = entry == null ? null : entry.grant();
        if (entry == null || grant == null || !entry.isHeldBy(proof.token())) {
            boolean taken = grant != null && !grant.token().equals(proof.token());
            throw new LeaseLostException(proof.key(), taken ? LostReason.TAKEN : LostReason.EVICTED);
        }
        return new Proven(new AnchorRef(proof.key(), entry.fence()), grant.term());
    }
}
