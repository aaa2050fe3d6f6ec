package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Relay;
import dev.holdfast.store.Term;
import dev.holdfast.Token;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.AnchorProof;
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
import dev.holdfast.server.AccessGuard.Access;
import dev.holdfast.store.Entry;
import dev.holdfast.wire.AttributeMessages;
import dev.holdfast.wire.StatusMessages;
import dev.holdfast.wire.TimeMessages;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of holders, translated into calls of {@link Relay}, independent of the protocol they arrived by.
 * Thread-safe; no method blocks.
 */
public final class LeaseOperations {
    private final ServerComponents parts;
    private final Relay relay;
    private final AsyncLeases leases;
    private final AnchorNameOwners anchors;

    public LeaseOperations(ServerComponents parts, AnchorNameOwners anchors) {
        this.parts = parts;
        this.anchors = anchors;
        this.relay = parts.leases().relay();
        this.leases = parts.leases().async();
    }

    /**
     * Acquires a key. Cancelling the future leaves the wait queue. The caller must give back a grant that it cannot
     * deliver.
     */
    public CompletableFuture<Relay.Outcome> acquire(ServiceRequestContext ctx, AcquireRequest request) {
        Key key = leased(ctx, request.getNamespace(), request.getName());
        Relay.Ask ask = ask(request);
        Duration wait = TimeMessages.duration("wait", request.getWait());
        CompletableFuture<Relay.Outcome> outcome =
                wait.isZero() ? grant(ctx, key, ask, wait) : waiting(ctx, key, () -> grant(ctx, key, ask, wait));
        Futures.whenDone(outcome, (result, error) -> {
            if (result instanceof Relay.Granted granted) {
                parts.watches().changed(granted.entry().key());
            }
        });
        return outcome;
    }

    private CompletableFuture<Relay.Outcome> grant(ServiceRequestContext ctx, Key key, Relay.Ask ask, Duration wait) {
        if (key.isUngroupedAnchor()) {
            return anchors.grant(ctx, key, ask, wait);
        }
        Relay.AnchorProof under = ask.under();
        if (under == null || !under.key().isUngroupedAnchor()) {
            return relay.grant(key, ask, wait).toCompletableFuture();
        }
        return Futures.chain(
                located(ctx, under),
                place -> relay.grant(
                                key,
                                new Relay.Ask(
                                        ask.token(),
                                        ask.holder(),
                                        ask.term(),
                                        ask.attributes(),
                                        place,
                                        ask.onlyIfNew()),
                                wait)
                        .toCompletableFuture());
    }

    /** The same proof, with the key under which the anchor is stored. */
    CompletableFuture<Relay.AnchorProof> located(ServiceRequestContext ctx, Relay.AnchorProof shown) {
        return Futures.chain(
                anchors.find(ctx, shown.key(), shown.token()),
                place -> CompletableFuture.completedFuture(new Relay.AnchorProof(place.key(), shown.token())));
    }

    /** Calls {@code call} with the place of the key that {@code token} holds. */
    private <T> CompletionStage<T> held(
            ServiceRequestContext ctx,
            Key key,
            Token token,
            Function<AnchorNameOwners.Place, CompletionStage<T>> call) {
        return key.isUngroupedAnchor()
                ? Futures.chain(
                        anchors.find(ctx, key, token),
                        place -> call.apply(place).toCompletableFuture())
                : call.apply(new AnchorNameOwners.Place(key, null));
    }

    private CompletableFuture<Relay.Outcome> waiting(
            ServiceRequestContext ctx, Key key, Supplier<CompletionStage<Relay.Outcome>> call) {
        WaitMark.set(ctx);
        parts.drain().refuseIfBegun();
        StreamAdmission.Place place = parts.admission().wait(ctx, key);
        CompletableFuture<Relay.Outcome> pending;
        try {
            pending = call.get().toCompletableFuture();
        } catch (RuntimeException e) {
            place.leave();
            throw e;
        }
        CompletableFuture<Relay.Outcome> outcome = untilDrained(pending);
        Futures.whenDone(outcome, (any, error) -> place.leave());
        return Futures.claim(outcome, result -> stillAllowed(ctx, key, result), unwanted -> {
            if (unwanted instanceof Relay.Granted granted) {
                giveBack(granted);
            }
        });
    }

    /** Checks the permission again: a wait may outlast the permission of its caller. */
    private Relay.Outcome stillAllowed(ServiceRequestContext ctx, Key key, Relay.Outcome outcome) {
        try {
            parts.guard().require(ctx, Access.LEASE, key.namespace());
            return outcome;
        } catch (RuntimeException e) {
            if (outcome instanceof Relay.Granted granted) {
                giveBack(granted);
            }
            throw e;
        }
    }

    /**
     * The outcome of {@code pending}, or the error of a server that is shutting down, whichever comes first. A grant that
     * arrives after the error is given back.
     */
    private CompletableFuture<Relay.Outcome> untilDrained(CompletableFuture<Relay.Outcome> pending) {
        CompletableFuture<Relay.Outcome> outcome = Futures.claim(pending, Function.identity(), late -> {
            if (late instanceof Relay.Granted granted) {
                giveBack(granted);
            }
        });
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

    private Relay.Ask ask(AcquireRequest request) {
        Term term = request.hasTerm() ? term(request.getTerm()) : AcquireOptions.DEFAULT_TERM;
        Token token = request.getToken().isEmpty()
                ? Token.of(parts.leases().runtime().randomId())
                : token(request.getToken());
        AttributePatch attributes =
                AttributePatch.NONE.putAll(AttributeMessages.attributes(request.getAttributesMap()));
        return new Relay.Ask(token, Holder.of(request.getHolder()), term, attributes, under(request));
    }

    private static Relay.@Nullable AnchorProof under(AcquireRequest request) {
        return request.hasUnder() ? proof(request.getUnder()) : null;
    }

    static Relay.AnchorProof proof(AnchorProof shown) {
        return new Relay.AnchorProof(
                Key.of(shown.getKey().getNamespace(), shown.getKey().getName()), token(shown.getToken()));
    }

    static Term term(com.google.protobuf.Duration wire) {
        return Term.of(TimeMessages.duration("term", wire));
    }

    public static AcquireResponse response(Relay.Outcome outcome) {
        AcquireResponse.Builder response = AcquireResponse.newBuilder();
        if (outcome instanceof Relay.Granted granted) {
            return response.setGranted(StatusMessages.granted(granted.entry())).build();
        } else if (outcome instanceof Relay.Held held) {
            return response.setHeld(Held.newBuilder()
                            .setHolder(held.holder().name())
                            .setFence(held.fence().value())
                            .setRemaining(TimeMessages.wire(held.remaining())))
                    .build();
        }
        Relay.Done done = (Relay.Done) outcome;
        return response.setDone(Done.newBuilder().setDoneAt(TimeMessages.wire(done.doneAt())))
                .build();
    }

    /** Gives back the grant if its response is not written completely: a client accepts only a complete response. */
    public void giveBackIfUntold(ServiceRequestContext ctx, Relay.Outcome outcome) {
        if (outcome instanceof Relay.Granted granted) {
            Futures.whenDone(ctx.log().whenComplete(), (log, failure) -> {
                if (log == null || log.responseCause() != null) {
                    giveBack(granted);
                }
            });
        }
    }

    /** Gives back a grant that cannot be delivered, unless it was renewed since. */
    public void giveBack(Relay.Granted undelivered) {
        relay.giveBack(undelivered);
    }

    public CompletionStage<RenewResponse> renew(ServiceRequestContext ctx, RenewRequest request) {
        Key key = leased(ctx, request.getNamespace(), request.getName());
        Term term = request.hasTerm() ? term(request.getTerm()) : null;
        Token token = token(request.getToken());
        AttributePatch patch = AttributeMessages.patch(request.getAttributes());
        return held(ctx, key, token, place -> relay.renew(place.key(), token, term, place.marked(patch)))
                .thenApply(entry -> {
                    if (request.hasAttributes()) {
                        parts.watches().changed(entry.key());
                    }
                    LeaseStatus status = StatusMessages.written(entry);
                    RenewResponse.Builder response = RenewResponse.newBuilder().setStatus(status);
                    if (!status.getGrant().hasAnchor()) {
                        response.setTerm(status.getGrant().getTerm());
                    }
                    return response.build();
                });
    }

    public CompletionStage<ReleaseResponse> release(ServiceRequestContext ctx, ReleaseRequest request) {
        Key key = leased(ctx, request.getNamespace(), request.getName());
        Token token = token(request.getToken());
        return held(
                ctx,
                key,
                token,
                place -> leases.release(place.key(), token).thenApply(released -> {
                    parts.watches().changed(place.key());
                    return ReleaseResponse.newBuilder().setReleased(released).build();
                }));
    }

    public CompletionStage<DoneResponse> done(ServiceRequestContext ctx, DoneRequest request) {
        Key key = leased(ctx, request.getNamespace(), request.getName());
        return relay.done(key, token(request.getToken()), AttributeMessages.patch(request.getAttributes()))
                .thenApply(entry -> {
                    parts.watches().changed(key);
                    return DoneResponse.newBuilder()
                            .setStatus(StatusMessages.written(entry))
                            .build();
                });
    }

    public CompletionStage<UpdateResponse> update(ServiceRequestContext ctx, UpdateRequest request) {
        Key key = leased(ctx, request.getNamespace(), request.getName());
        Token token = token(request.getToken());
        AttributePatch patch = AttributeMessages.patch(request.getAttributes());
        CompletionStage<Entry> updated =
                held(ctx, key, token, place -> relay.update(place.key(), token, place.marked(patch)));
        if (parts.audit().isForced(ctx, key, token)) {
            updated = parts.audit().after(ctx, "force-update", key, "", updated, entry -> "changed");
        }
        return updated.thenApply(entry -> {
            parts.watches().changed(entry.key());
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
