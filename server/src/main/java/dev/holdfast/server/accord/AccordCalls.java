package dev.holdfast.server.accord;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.RequestChecks;
import dev.holdfast.server.AccessGuard.Access;
import dev.holdfast.server.LeaseOperations;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.service.Answer;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The calls of accord, translated into calls of Holdfast. */
final class AccordCalls {
    /** The default of accord's client. */
    private static final Duration DEFAULT_TTL = Duration.ofMinutes(10);

    private final ServerComponents parts;
    private final LeaseOperations leases;
    private final HandleKeys handleKeys;

    AccordCalls(ServerComponents parts, LeaseOperations leases, HandleKeys handleKeys) {
        this.parts = parts;
        this.leases = leases;
        this.handleKeys = handleKeys;
    }

    CompletionStage<Answer> acquire(ServiceRequestContext ctx, AcquireRequest request) {
        requireGiven("owner", request.getOwner());
        requireGiven("name", request.getName());
        Key key = Key.of(request.getNamespace(), request.getName());
        RequestChecks.requireNotReserved(key);
        parts.guard().require(ctx, Access.LEASE, key.namespace());
        LeaseRequest.Acquire ask = new LeaseRequest.Acquire(
                Token.of(parts.service().environment().randomId()),
                Holder.of(request.getOwner()),
                request.getTtl() == 0 ? Term.of(DEFAULT_TTL) : term(request.getTtl()),
                HandleMetadata.patch(request.getMetadataMap()),
                null,
                true);
        return leases.grant(key, ask).thenApply(outcome -> {
            if (outcome instanceof Answer.Applied) {
                handleKeys.remember(new KnownGrant(key, ask.token(), ask.holder()));
            }
            return outcome;
        });
    }

    CompletionStage<?> renew(ServiceRequestContext ctx, RenewRequest request) {
        requireGiven("owner", request.getOwner());
        Token token = HandleIds.token(request.getHandleId());
        AttributePatch patch = HandleMetadata.patch(request.getMetadataMap());
        if (request.getTtl() == 0) {
            return held(ctx, token, request.getOwner(), handle -> giveUp(handle, patch));
        }
        Term term = term(request.getTtl());
        return held(
                ctx,
                token,
                request.getOwner(),
                handle -> leases.renew(handle.key(), new LeaseRequest.Renew(token, term, patch)));
    }

    CompletionStage<?> done(ServiceRequestContext ctx, DoneRequest request) {
        requireGiven("owner", request.getOwner());
        Token token = HandleIds.token(request.getHandleId());
        AttributePatch patch = HandleMetadata.patch(request.getMetadataMap());
        return held(ctx, token, request.getOwner(), handle -> finish(handle, patch));
    }

    /** Marks the key as done. In Holdfast a second call succeeds like the first; accord rejects it. */
    private CompletionStage<Boolean> finish(KnownGrant handle, AttributePatch patch) {
        RequestChecks.requireMayBeDone(handle.key());
        return leases.answered(handle.key(), new LeaseRequest.Done(handle.token(), patch))
                .thenApply(answer -> {
                    if (answer.mayHaveHadEffect()) {
                        throw StoreException.unknown("the key is done, by this call or by an earlier one", null);
                    } else if (!(answer instanceof Answer.Applied)) {
                        throw HandleKeys.invalid();
                    }
                    return true;
                });
    }

    /** Releases the handle. The metadata is updated first, while the handle is still valid. */
    private CompletionStage<Boolean> giveUp(KnownGrant handle, AttributePatch patch) {
        CompletionStage<?> updated = patch.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : leases.written(handle.key(), new LeaseRequest.Update(handle.token(), patch));
        return updated.thenCompose(any -> parts.leases().async().release(handle.key(), handle.token()))
                .thenApply(released -> {
                    if (!released) {
                        throw HandleKeys.invalid();
                    }
                    return true;
                });
    }

    private <T> CompletionStage<T> held(
            ServiceRequestContext ctx, Token token, String owner, Function<KnownGrant, CompletionStage<T>> call) {
        // Checked before the lookup, which may read the store: callers that may lease nowhere have no handles.
        parts.guard().allowed(ctx, Access.LEASE, "");
        CompletionStage<T> answer = handleKeys.find(token, owner).thenCompose(handle -> {
            parts.guard().require(ctx, Access.LEASE, handle.key().namespace());
            return call.apply(handle).thenApply(changed -> {
                parts.watches().changed(handle.key());
                return changed;
            });
        });
        return answer.exceptionallyCompose(error -> CompletableFuture.failedFuture(
                Futures.cause(error) instanceof LeaseLostException ? HandleKeys.invalid() : error));
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
            throw Status.INVALID_ARGUMENT.withDescription("invalid " + field).asRuntimeException();
        }
    }
}
