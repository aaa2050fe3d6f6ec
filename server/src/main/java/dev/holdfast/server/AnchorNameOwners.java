package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Token;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Grant;
import dev.holdfast.support.Futures;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The mapping from anchor names to keys, separate for each caller. A caller can neither acquire, renew nor release the
 * anchor of another caller, nor occupy its name.
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
public final class AnchorNameOwners {
    /** The attribute that records which caller an anchor belongs to. */
    static final String CALLER = "~caller";

    /** Far more sessions than one process serves. */
    private static final int KEPT = 10_000;

    private final ServerComponents parts;
    private final AsyncLeases leases;
    private final AnchorProofs proofs;
    /** Places found by a lease token. They never change, because a token stands for one grant of one key. */
    private final Map<Sought, Place> found = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Sought, Place> eldest) {
            return size() > KEPT;
        }
    };

    public AnchorNameOwners(ServerComponents parts) {
        this.parts = parts;
        this.leases = parts.leases().async();
        this.proofs = new AnchorProofs(parts.service());
    }

    private record Sought(String caller, Key key, Token token) {}

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
        Sought sought = new Sought(CallerLogText.of(caller), key, token);
        Place known = known(sought);
        return known == null ? lookUp(sought) : CompletableFuture.completedFuture(known);
    }

    private CompletableFuture<Place> lookUp(Sought sought) {
        Key own = Key.ofAnchor(Holder.of(sought.key.name()), sought.caller);
        return leases.get(sought.key)
                .thenCombine(leases.get(own), (usual, apart) -> choose(sought, usual, apart, own))
                .toCompletableFuture();
    }

    private Place choose(Sought sought, Optional<LeaseStatus> usual, Optional<LeaseStatus> apart, Key own) {
        Place usualPlace = new Place(sought.key, sought.caller);
        Place ownPlace = new Place(own, null);
        boolean isFree = usual.flatMap(status -> status.attributes().text(CALLER))
                .filter(recorded -> !recorded.equals(sought.caller))
                .isEmpty();
        if (isFree && isOf(usual, sought.token)) {
            return keep(sought, usualPlace);
        } else if (isOf(apart, sought.token)) {
            return keep(sought, ownPlace);
        }
        boolean isUsedApart = apart.filter(LeaseStatus::isHeld).isPresent();
        return isFree && !isUsedApart ? usualPlace : ownPlace;
    }

    private static boolean isOf(Optional<LeaseStatus> status, Token token) {
        return status.flatMap(some -> Optional.ofNullable(some.entry().grant()))
                .map(Grant::token)
                .filter(token::equals)
                .isPresent();
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

    /** The grant of the anchor that a caller shows a token for. */
    CompletableFuture<AnchorProofs.Proven> prove(ServiceRequestContext ctx, AnchorProof shown) {
        return Futures.chain(
                find(ctx, shown.key(), shown.token()),
                place -> proofs.prove(new AnchorProof(place.key(), shown.token())));
    }

    private synchronized @Nullable Place known(Sought sought) {
        return found.get(sought);
    }

    private synchronized Place keep(Sought sought, Place place) {
        found.put(sought, place);
        return place;
    }
}
