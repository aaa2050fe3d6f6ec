package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Relay;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.Futures;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.Done;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.GetResponse;
import dev.holdfast.proto.v1.Held;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.ReleaseResponse;
import dev.holdfast.server.Guard.Access;
import dev.holdfast.wire.Statuses;
import dev.holdfast.wire.Times;
import dev.holdfast.wire.Values;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The calls of the wire as calls of {@link Relay} and {@link AsyncLeases}, whichever way they came in. */
public final class LeaseCalls {
    private final ServerParts parts;
    private final Relay relay;
    private final AsyncLeases leases;

    public LeaseCalls(ServerParts parts) {
        this.parts = parts;
        this.relay = parts.leases().relay();
        this.leases = parts.leases().async();
    }

    /** Cancelling the future leaves the line; a grant that cannot be told is to be given back by the caller. */
    public CompletableFuture<Relay.Outcome> acquire(ServiceRequestContext ctx, AcquireRequest request) {
        Key key = Key.of(request.getNamespace(), request.getName());
        parts.guard().require(ctx, Access.LEASE, key.namespace());
        Relay.Ask ask = ask(request);
        Duration wait = Times.duration("wait", request.getWait());
        if (wait.isZero()) {
            return relay.grant(key, ask, wait).toCompletableFuture();
        }
        parts.drain().refuseIfBegun();
        Admission.Place place = parts.admission().wait(ctx, key);
        CompletableFuture<Relay.Outcome> outcome;
        try {
            outcome = relay.grant(key, ask, wait).toCompletableFuture();
        } catch (RuntimeException e) {
            place.leave();
            throw e;
        }
        Futures.whenDone(outcome, (any, error) -> place.leave());
        return outcome;
    }

    private Relay.Ask ask(AcquireRequest request) {
        Term term = request.hasTerm() ? term(request.getTerm()) : AcquireOptions.DEFAULT_TERM;
        Token token = request.getToken().isEmpty()
                ? Token.of(parts.leases().runtime().randomId())
                : Token.parse(request.getToken());
        AttributePatch attributes = AttributePatch.NONE.putAll(Values.attributes(request.getAttributesMap()));
        return new Relay.Ask(token, Holder.of(request.getHolder()), term, attributes, under(request));
    }

    private static Relay.@Nullable AnchorProof under(AcquireRequest request) {
        if (!request.hasUnder()) {
            return null;
        }
        dev.holdfast.proto.v1.Key anchor = request.getUnder().getKey();
        return new Relay.AnchorProof(
                Key.of(anchor.getNamespace(), anchor.getName()),
                Token.parse(request.getUnder().getToken()));
    }

    static Term term(com.google.protobuf.Duration wire) {
        return Term.of(Times.duration("term", wire));
    }

    public static AcquireResponse response(Relay.Outcome outcome) {
        AcquireResponse.Builder response = AcquireResponse.newBuilder();
        if (outcome instanceof Relay.Granted granted) {
            return response.setGranted(Statuses.granted(granted.entry())).build();
        } else if (outcome instanceof Relay.Held held) {
            return response.setHeld(Held.newBuilder()
                            .setHolder(held.holder().name())
                            .setFence(held.fence().value())
                            .setRemaining(Times.wire(held.remaining())))
                    .build();
        }
        Relay.Done done = (Relay.Done) outcome;
        return response.setDone(Done.newBuilder().setDoneAt(Times.wire(done.doneAt())))
                .build();
    }

    /** Gives back what its caller did not hear of. */
    public void giveBack(Relay.Outcome untold) {
        if (untold instanceof Relay.Granted granted) {
            relay.giveBack(granted);
        }
    }

    public CompletionStage<ReleaseResponse> release(ServiceRequestContext ctx, ReleaseRequest request) {
        Key key = Key.of(request.getNamespace(), request.getName());
        parts.guard().require(ctx, Access.LEASE, key.namespace());
        return leases.release(key, token(request.getToken()))
                .thenApply(released ->
                        ReleaseResponse.newBuilder().setReleased(released).build());
    }

    public CompletionStage<GetResponse> get(ServiceRequestContext ctx, GetRequest request) {
        Key key = Key.of(request.getNamespace(), request.getName());
        boolean withToken = request.getWithToken();
        parts.guard().require(ctx, withToken ? Access.ADMINISTER : Access.READ, key.namespace());
        return leases.get(key).thenApply(found -> {
            GetResponse.Builder response = GetResponse.newBuilder();
            found.ifPresent(status -> response.setStatus(Statuses.wire(status, withToken)));
            return response.build();
        });
    }

    private static Token token(String text) {
        if (text.isEmpty()) {
            throw Check.bad("token", text, "the token of the lease");
        }
        return Token.parse(text);
    }
}
