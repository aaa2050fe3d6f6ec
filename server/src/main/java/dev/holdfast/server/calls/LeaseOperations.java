package dev.holdfast.server.calls;

import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AcquireOptions;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.Done;
import dev.holdfast.proto.v1.DoneRequest;
import dev.holdfast.proto.v1.DoneResponse;
import dev.holdfast.proto.v1.Held;
import dev.holdfast.proto.v1.LeaseStatus;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.ReleaseResponse;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.RenewResponse;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.proto.v1.UpdateResponse;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.RequestChecks;
import dev.holdfast.server.extension.ServerDrain;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.server.security.FleetOrderKeys;
import dev.holdfast.server.wire.LongRequests;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.AttributeMessages;
import dev.holdfast.wire.StatusMessages;
import dev.holdfast.wire.TimeMessages;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of holders, translated into requests to the {@link LeaseService}, independent of the protocol they arrived by.
 * Thread-safe; no method blocks.
 */
public final class LeaseOperations {
    private final ServerComponents parts;
    private final LeaseService service;
    private final CallerAnchors anchors;
    private final FleetOrders fleetOrders;

    public LeaseOperations(ServerComponents parts, CallerAnchors anchors) {
        this.parts = parts;
        this.fleetOrders = new FleetOrders(parts);
        this.anchors = anchors;
        this.service = parts.service();
    }

    /**
     * Acquires a key. Cancelling the future leaves the wait queue. The caller must release a grant that it cannot
     * deliver.
     */
    public CompletableFuture<Answer> acquire(ServiceRequestContext ctx, AcquireRequest request) {
        Key key = leased(ctx, request.getNamespace(), request.getName());
        LeaseRequest.Acquire ask = fleetOrders.signed(ctx, key, ask(request));
        RequestChecks.requireNotReserved(key, ask.holder());
        AnchorProof under = request.hasUnder() ? proof(request.getUnder()) : null;
        if (key.isAnchor() && under != null) {
            throw ArgumentCheck.bad("under", under.key(), "none, as an anchor cannot itself be anchored");
        }
        long waitNanos = RequestChecks.waitNanos(TimeMessages.duration("wait", request.getWait()));
        CompletableFuture<Answer> outcome = waitNanos == 0
                ? grant(ctx, key, ask, under, 0)
                : waiting(ctx, key, () -> grant(ctx, key, ask, under, waitNanos));
        parts.origins().note(ctx, outcome);
        return parts.reported(fleetOrders.logged(ctx, key, ask, outcome));
    }

    /** Acquires an anchor, at the place of its caller. */
    public CompletableFuture<Answer> grantAnchor(
            ServiceRequestContext ctx, Key key, LeaseRequest.Acquire ask, long waitNanos) {
        CompletableFuture<Answer> outcome = anchors.grant(ctx, key, ask, waitNanos);
        parts.origins().note(ctx, outcome);
        return parts.reported(outcome);
    }

    private CompletableFuture<Answer> grant(
            ServiceRequestContext ctx, Key key, LeaseRequest.Acquire ask, @Nullable AnchorProof under, long waitNanos) {
        if (key.isUngroupedAnchor()) {
            return anchors.grant(ctx, key, ask, waitNanos);
        } else if (under == null) {
            return service.acquire(key, ask, waitNanos);
        }
        return Futures.chain(
                anchors.prove(ctx, under),
                anchor -> service.acquire(key, ask.under(anchor.ref(), anchor.term()), waitNanos),
                parts::releaseUndelivered);
    }

    /** Calls {@code call} with the place of the key that {@code token} holds. */
    private <T> CompletableFuture<T> held(
            ServiceRequestContext ctx, Key key, Token token, Function<CallerAnchors.Place, CompletableFuture<T>> call) {
        return key.isUngroupedAnchor()
                ? Futures.chain(anchors.find(ctx, key, token), call)
                : call.apply(new CallerAnchors.Place(key, null));
    }

    private CompletableFuture<Answer> waiting(
            ServiceRequestContext ctx, Key key, Supplier<CompletableFuture<Answer>> call) {
        LongRequests.markWaiting(ctx);
        parts.drain().refuseIfBegun();
        Runnable leave = parts.admission().wait(ctx, key);
        CompletableFuture<Answer> pending;
        try {
            pending = call.get();
        } catch (RuntimeException e) {
            leave.run();
            throw e;
        }
        CompletableFuture<Answer> outcome = untilDrained(pending);
        Futures.whenDone(outcome, (any, error) -> leave.run());
        return Futures.claim(outcome, result -> stillAllowed(ctx, key, result), parts::releaseUndelivered);
    }

    /** Checks the permission again: a wait may outlast the permission of its caller. */
    private Answer stillAllowed(ServiceRequestContext ctx, Key key, Answer outcome) {
        try {
            parts.guard().require(ctx, Access.LEASE, key.namespace());
            return outcome;
        } catch (RuntimeException e) {
            parts.releaseUndelivered(outcome);
            throw e;
        }
    }

    /**
     * The outcome of {@code pending}, or the error of a server that is shutting down, whichever comes first. A grant that
     * arrives after the error is released.
     */
    private CompletableFuture<Answer> untilDrained(CompletableFuture<Answer> pending) {
        CompletableFuture<Answer> outcome = Futures.claim(pending, Function.identity(), parts::releaseUndelivered);
        Runnable goAway = () -> {
            if (outcome.completeExceptionally(ServerDrain.ending())) {
                pending.cancel(false);
            }
        };
        try {
            Runnable unregister = parts.drain().onBegin(goAway);
            Futures.whenDone(outcome, (any, error) -> unregister.run());
        } catch (StatusRuntimeException e) {
            goAway.run(); // The server began to shut down meanwhile.
        }
        return outcome;
    }

    private LeaseRequest.Acquire ask(AcquireRequest request) {
        Token token =
                request.getToken().isEmpty() ? Token.of(service.environment().randomId()) : token(request.getToken());
        if (token.equals(Token.HIDDEN)) {
            throw ArgumentCheck.bad("token", token, "a random token, not the placeholder for hidden tokens");
        }
        return new LeaseRequest.Acquire(
                token,
                Holder.of(request.getHolder()),
                request.hasTerm() ? term(request.getTerm()) : Term.of(AcquireOptions.DEFAULT_TERM),
                AttributePatch.NONE.putAll(AttributeMessages.attributes(request.getAttributesMap())),
                null);
    }

    static AnchorProof proof(dev.holdfast.proto.v1.AnchorProof shown) {
        return new AnchorProof(
                Key.of(shown.getKey().getNamespace(), shown.getKey().getName()), token(shown.getToken()));
    }

    static Term term(com.google.protobuf.Duration wire) {
        return Term.of(TimeMessages.duration("term", wire));
    }

    public static AcquireResponse response(Answer outcome) {
        AcquireResponse.Builder response = AcquireResponse.newBuilder();
        if (outcome instanceof Answer.Applied granted) {
            return response.setGranted(StatusMessages.granted(requireNonNull(granted.entry())))
                    .build();
        }
        Decision.Refusal refusal = ((Answer.Refused) outcome).refusal();
        if (refusal instanceof Decision.Held held) {
            return response.setHeld(held(held)).build();
        }
        Decision.Finished done = (Decision.Finished) refusal;
        return response.setDone(Done.newBuilder().setDoneAt(TimeMessages.wire(done.doneAt())))
                .build();
    }

    public static Held held(Decision.Held held) {
        return Held.newBuilder()
                .setHolder(held.holder().name())
                .setFence(held.fence().value())
                .setRemaining(TimeMessages.wire(held.shownRemaining()))
                .build();
    }

    public CompletionStage<RenewResponse> renew(ServiceRequestContext ctx, RenewRequest request) {
        Key key = leased(ctx, request.getNamespace(), request.getName());
        Term term = request.hasTerm() ? term(request.getTerm()) : null;
        Token token = token(request.getToken());
        AttributePatch patch = AttributeMessages.patch(request.getAttributes());
        return held(
                        ctx,
                        key,
                        token,
                        place -> written(place.key(), new LeaseRequest.Renew(token, term, place.marked(patch))))
                .thenApply(entry -> {
                    if (request.hasAttributes()) {
                        parts.changed(entry.key());
                    }
                    LeaseStatus status = StatusMessages.written(entry);
                    RenewResponse.Builder response = RenewResponse.newBuilder().setStatus(status);
                    if (!status.getGrant().hasAnchor()) {
                        response.setTerm(status.getGrant().getTerm());
                    }
                    return response.build();
                });
    }

    /** Carries out a request of a holder, and returns the entry as written. Fails like {@link ServerComponents#carryOut}. */
    public CompletableFuture<Entry> written(Key key, LeaseRequest request) {
        return parts.carryOut(key, request)
                .thenApply(answer -> requireNonNull(
                        answer instanceof Answer.Applied applied
                                ? applied.entry()
                                : ((Answer.Unneeded) answer).entry()));
    }

    public CompletionStage<ReleaseResponse> release(ServiceRequestContext ctx, ReleaseRequest request) {
        Key key = leased(ctx, request.getNamespace(), request.getName());
        Token token = token(request.getToken());
        Holder next = request.getNext().isEmpty() ? null : Holder.of(request.getNext());
        return held(
                ctx,
                key,
                token,
                place -> service.release(place.key(), new LeaseRequest.Release(token, next))
                        .thenApply(answer -> {
                            parts.changed(place.key());
                            return ReleaseResponse.newBuilder()
                                    .setReleased(!(answer instanceof Answer.Refused))
                                    .build();
                        }));
    }

    public CompletionStage<DoneResponse> done(ServiceRequestContext ctx, DoneRequest request) {
        Key key = leased(ctx, request.getNamespace(), request.getName());
        RequestChecks.requireMayBeDone(key);
        AttributePatch patch = AttributeMessages.patch(request.getAttributes());
        return written(key, new LeaseRequest.Done(token(request.getToken()), patch))
                .thenApply(entry -> {
                    parts.changed(key);
                    return DoneResponse.newBuilder()
                            .setStatus(StatusMessages.written(entry))
                            .build();
                });
    }

    public CompletionStage<UpdateResponse> update(ServiceRequestContext ctx, UpdateRequest request) {
        Key key = leased(ctx, request.getNamespace(), request.getName());
        Token token = token(request.getToken());
        AttributePatch patch = fleetOrders.signed(ctx, key, AttributeMessages.patch(request.getAttributes()));
        CompletionStage<Entry> updated = held(
                ctx, key, token, place -> written(place.key(), new LeaseRequest.Update(token, place.marked(patch))));
        if (parts.audit().isForced(ctx, key, token) || FleetOrderKeys.isOrder(key)) {
            updated = parts.audit().after(ctx, "force-update", key, "", updated, entry -> "changed");
        }
        return updated.thenApply(entry -> {
            parts.changed(entry.key());
            return UpdateResponse.newBuilder()
                    .setStatus(StatusMessages.written(entry))
                    .build();
        });
    }

    private Key leased(ServiceRequestContext ctx, String namespace, String name) {
        Key key = Key.of(namespace, name);
        parts.guard().require(ctx, Access.LEASE, key.namespace());
        return key;
    }

    static Token token(String text) {
        if (text.isEmpty()) {
            throw ArgumentCheck.bad("token", text, "the token of the lease");
        }
        return Token.parse(text);
    }
}
