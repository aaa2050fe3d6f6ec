package dev.holdfast.accord;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.accord.HandleKeys.KnownGrant;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.AcquireResponse;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.DoneResponse;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.proto.accord.RenewResponse;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.RequestChecks;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.server.wire.RequestContinuation;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.service.Answer;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The gRPC service {@code blacksquaremedia.accord.V1}: the calls of accord, translated into requests to Holdfast. */
final class AccordService extends V1Grpc.V1ImplBase {
    /** The default of accord's client. */
    private static final Duration DEFAULT_TTL = Duration.ofMinutes(10);

    private final ServedLeases leases;
    private final HandleKeys handleKeys;
    private final HandleList list;

    AccordService(ServedLeases leases, Duration listPatience) {
        this.leases = leases;
        this.handleKeys = new HandleKeys(leases.leases(), HandleKeys.KEPT);
        this.list = new HandleList(leases, listPatience);
    }

    @Override
    public void acquire(AcquireRequest request, StreamObserver<AcquireResponse> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        RequestContinuation.respond(() -> acquire(ctx, request), outcome -> response(ctx, outcome), observer);
    }

    private CompletionStage<Answer> acquire(ServiceRequestContext ctx, AcquireRequest request) {
        requireGiven("owner", request.getOwner());
        requireGiven("name", request.getName());
        Key key = Key.of(request.getNamespace(), request.getName());
        RequestChecks.requireNotReserved(key);
        leases.guard().require(ctx, Access.LEASE, key.namespace());
        LeaseRequest.Acquire ask = new LeaseRequest.Acquire(
                Token.of(leases.service().environment().randomId()),
                Holder.of(request.getOwner()),
                request.getTtl() == 0 ? Term.of(DEFAULT_TTL) : term(request.getTtl()),
                HandleMessages.patch(request.getMetadataMap()),
                null,
                true);
        return leases.grant(key, ask).thenApply(outcome -> {
            if (outcome instanceof Answer.Applied) {
                handleKeys.remember(new KnownGrant(key, ask.token(), ask.holder()));
            }
            return outcome;
        });
    }

    private AcquireResponse response(ServiceRequestContext ctx, Answer outcome) {
        AcquireResponse.Builder response = AcquireResponse.newBuilder();
        if (outcome instanceof Answer.Applied granted) {
            leases.releaseIfUndelivered(ctx, granted);
            return response.setHandle(HandleMessages.granted(Objects.requireNonNull(granted.entry())))
                    .build();
        }
        boolean isDone = ((Answer.Refused) outcome).refusal() instanceof Decision.Finished;
        return response.setStatus(isDone ? Status.DONE : Status.HELD).build();
    }

    @Override
    public void renew(RenewRequest request, StreamObserver<RenewResponse> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        RequestContinuation.respond(
                () -> {
                    requireGiven("owner", request.getOwner());
                    Token token = HandleKeys.token(request.getHandleId());
                    AttributePatch patch = HandleMessages.patch(request.getMetadataMap());
                    Term term = request.getTtl() == 0 ? null : term(request.getTtl());
                    return held(
                            ctx,
                            token,
                            request.getOwner(),
                            handle -> term == null
                                    ? giveUp(handle, patch)
                                    : leases.carryOut(handle.key(), new LeaseRequest.Renew(token, term, patch)));
                },
                any -> RenewResponse.getDefaultInstance(),
                observer);
    }

    @Override
    public void done(DoneRequest request, StreamObserver<DoneResponse> observer) {
        ServiceRequestContext ctx = ServiceRequestContext.current();
        RequestContinuation.respond(
                () -> {
                    requireGiven("owner", request.getOwner());
                    Token token = HandleKeys.token(request.getHandleId());
                    AttributePatch patch = HandleMessages.patch(request.getMetadataMap());
                    return held(ctx, token, request.getOwner(), handle -> finish(handle, patch));
                },
                any -> DoneResponse.getDefaultInstance(),
                observer);
    }

    /** Marks the key as done. In Holdfast a second call succeeds like the first; accord rejects it. */
    private CompletionStage<Answer> finish(KnownGrant handle, AttributePatch patch) {
        RequestChecks.requireMayBeDone(handle.key());
        return leases.carryOut(handle.key(), new LeaseRequest.Done(handle.token(), patch))
                .thenApply(answer -> {
                    if (answer.mayHaveHadEffect()) {
                        throw StoreException.unknown("the key is done, by this call or by an earlier one", null);
                    } else if (!(answer instanceof Answer.Applied)) {
                        throw HandleKeys.invalid();
                    }
                    return answer;
                });
    }

    /** Releases the handle. The metadata is updated first, while the handle is still valid. */
    private CompletionStage<Answer> giveUp(KnownGrant handle, AttributePatch patch) {
        CompletionStage<?> updated = patch.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : leases.carryOut(handle.key(), new LeaseRequest.Update(handle.token(), patch));
        return updated.thenCompose(any -> leases.service().release(handle.key(), handle.token()))
                .thenApply(answer -> {
                    if (answer instanceof Answer.Refused) {
                        throw HandleKeys.invalid();
                    }
                    return answer;
                });
    }

    private CompletionStage<Answer> held(
            ServiceRequestContext ctx, Token token, String owner, Function<KnownGrant, CompletionStage<Answer>> call) {
        // Checked before the lookup, which may read the store: callers that may lease nowhere have no handles.
        leases.guard().allowed(ctx, Access.LEASE, "");
        CompletionStage<Answer> answer = handleKeys.find(token, owner).thenCompose(handle -> {
            leases.guard().require(ctx, Access.LEASE, handle.key().namespace());
            return call.apply(handle).thenApply(changed -> {
                leases.changed(handle.key());
                return changed;
            });
        });
        return answer.exceptionallyCompose(error -> CompletableFuture.failedFuture(
                Futures.cause(error) instanceof LeaseLostException ? HandleKeys.invalid() : error));
    }

    @Override
    public void list(ListRequest request, StreamObserver<Handle> observer) {
        try {
            list.stream(ServiceRequestContext.current(), request, (ServerCallStreamObserver<Handle>) observer);
        } catch (RuntimeException e) {
            observer.onError(WireErrors.of(e));
        }
    }

    private static Term term(int ttl) {
        long seconds = Integer.toUnsignedLong(ttl);
        if (seconds > SizeLimits.TERM_MAX.toSeconds()) {
            throw ArgumentCheck.bad("ttl", seconds, "<= " + SizeLimits.TERM_MAX.toSeconds() + " seconds");
        }
        return Term.of(Duration.ofSeconds(seconds));
    }

    /** Rejects an empty field with accord's own message. */
    private static void requireGiven(String field, String value) {
        if (value.isEmpty()) {
            throw io.grpc.Status.INVALID_ARGUMENT
                    .withDescription("invalid " + field)
                    .asRuntimeException();
        }
    }
}
