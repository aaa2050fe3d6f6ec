package dev.holdfast.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LostReason;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.AnchorProof;
import dev.holdfast.proto.v1.AttributePatch;
import dev.holdfast.proto.v1.CleanUpRequest;
import dev.holdfast.proto.v1.DeleteRequest;
import dev.holdfast.proto.v1.DoneRequest;
import dev.holdfast.proto.v1.EditResponse;
import dev.holdfast.proto.v1.EvictRequest;
import dev.holdfast.proto.v1.Grant;
import dev.holdfast.proto.v1.LeaseStatus;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.ReopenRequest;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.server.calls.KeyOperations;
import dev.holdfast.server.calls.LeaseOperations;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.service.Answer;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.StatusMessages;
import dev.holdfast.wire.TimeMessages;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The HTTP actions on one key, and the clean-up. Their bodies become the messages of the same calls over gRPC. */
final class HttpActions {
    private static final Set<String> ACQUIRE =
            Set.of("namespace", "holder", "token", "term", "wait", "attributes", "under");

    private final ServedLeases served;
    private final LeaseOperations leases;
    private final KeyOperations keys;
    private final Map<String, BodyAction> actions;

    HttpActions(ServedLeases served, LeaseOperations leases, KeyOperations keys) {
        this.served = served;
        this.leases = leases;
        this.keys = keys;
        Set<String> changes = Set.of("namespace", "token", "attributes", "replaceAttributes");
        this.actions = Map.of(
                "acquire",
                this::acquire,
                "renew",
                action(
                        RenewRequest.getDefaultInstance(),
                        Set.of("namespace", "token", "term", "attributes", "replaceAttributes"),
                        leases::renew,
                        (renewed, begun) -> JsonResponses.ok(written(renewed.getStatus(), begun))),
                "release",
                this::release,
                "done",
                action(
                        DoneRequest.getDefaultInstance(),
                        changes,
                        leases::done,
                        (done, begun) -> JsonResponses.ok(JsonStatus.json(done.getStatus()))),
                "update",
                action(
                        UpdateRequest.getDefaultInstance(),
                        changes,
                        leases::update,
                        (updated, begun) -> JsonResponses.ok(JsonStatus.json(updated.getStatus()))),
                "reopen",
                action(ReopenRequest.getDefaultInstance(), Set.of("namespace"), keys::reopen, HttpActions::edited),
                "delete",
                action(
                        DeleteRequest.getDefaultInstance(),
                        Set.of("namespace", "token"),
                        keys::delete,
                        HttpActions::edited),
                "evict",
                action(
                        EvictRequest.getDefaultInstance(),
                        Set.of("namespace", "reason", "actor"),
                        keys::evict,
                        HttpActions::edited));
    }

    /** An action on the key of a given name. */
    interface BodyAction {
        HttpResponse act(ServiceRequestContext ctx, String name, byte[] body);
    }

    /** The action of this name; null if there is none. */
    @Nullable
    BodyAction named(String name) {
        return actions.get(name);
    }

    /**
     * An action that is the same as a call over gRPC.
     *
     * @param empty its request without any field
     * @param fields the fields that its body may have
     * @param response the response to the result of the call, and to the time before it
     */
    private <Q extends Message, R> BodyAction action(
            Q empty,
            Set<String> fields,
            BiFunction<ServiceRequestContext, Q, CompletionStage<R>> call,
            BiFunction<R, Instant, HttpResponse> response) {
        return (ctx, name, body) -> {
            Q request = JsonRequest.parse(body, fields).into(empty, name);
            Instant begun = now();
            return JsonResponses.of(ctx, call.apply(ctx, request), result -> response.apply(result, begun));
        };
    }

    private Instant now() {
        return served.service().environment().now();
    }

    private HttpResponse acquire(ServiceRequestContext ctx, String name, byte[] body) {
        JsonRequest json = JsonRequest.parse(body, ACQUIRE);
        AcquireRequest.Builder request = json.into(AcquireRequest.getDefaultInstance(), name).toBuilder();
        ObjectNode under = json.object("under");
        if (under != null) {
            request.setUnder(proof(under));
        }
        AttributePatch attributes = JsonAttributes.patch(json.object("attributes"), false);
        if (attributes.getRemoveCount() > 0) {
            throw ArgumentCheck.bad("attributes", attributes.getRemove(0) + " is null", "values only");
        }
        Instant begun = now();
        CompletableFuture<Answer> pending = leases.acquire(
                ctx, request.putAllAttributes(attributes.getPutMap()).build());
        HttpResponse response = JsonResponses.of(ctx, pending, outcome -> {
            served.releaseIfUndelivered(ctx, outcome);
            return acquired(LeaseOperations.response(outcome), begun);
        });
        // A client that disconnects leaves the wait queue before anything is granted to it.
        Futures.whenDone(response.whenComplete(), (over, gone) -> {
            if (gone != null) {
                pending.cancel(false);
            }
        });
        return response;
    }

    private static AnchorProof proof(ObjectNode under) {
        JsonRequest json = JsonRequest.parse(JsonResponses.bytes(under), Set.of("holder", "token"));
        Key anchor = Key.ofAnchor(Holder.of(json.text("holder")));
        return AnchorProof.newBuilder()
                .setKey(StatusMessages.wire(anchor))
                .setToken(json.text("token"))
                .build();
    }

    private static HttpResponse acquired(AcquireResponse response, Instant begun) {
        return switch (response.getOutcomeCase()) {
            case GRANTED -> JsonResponses.ok(written(response.getGranted().getStatus(), begun));
            case HELD -> JsonResponses.held(response.getHeld());
            case DONE -> JsonResponses.done(response.getDone());
            case OUTCOME_NOT_SET -> throw new IllegalStateException("an acquire without an outcome");
        };
    }

    private HttpResponse release(ServiceRequestContext ctx, String name, byte[] body) {
        ReleaseRequest request = JsonRequest.parse(body, Set.of("namespace", "token", "next"))
                .into(ReleaseRequest.getDefaultInstance(), name);
        return JsonResponses.of(ctx, leases.release(ctx, request), response -> {
            if (!response.getReleased()) {
                Key key = Key.of(request.getNamespace(), name);
                return JsonResponses.failed(new LeaseLostException(key, LostReason.TAKEN));
            }
            return JsonResponses.ok(JsonRequest.JSON.createObjectNode().put("released", true));
        });
    }

    /**
     * The status of the lease with its expiry, for humans: by the server's clock, counted from before the request to
     * the store.
     */
    private static ObjectNode written(LeaseStatus status, Instant begun) {
        ObjectNode json = JsonStatus.json(status);
        Grant grant = status.getGrant();
        if (!grant.hasAnchor()) {
            json.put(
                    "expiry",
                    begun.plus(TimeMessages.duration("term", grant.getTerm())).toString());
        }
        return json;
    }

    private static HttpResponse edited(EditResponse result, Instant begun) {
        return result.hasHeld()
                ? JsonResponses.held(result.getHeld())
                : JsonResponses.ok(JsonRequest.JSON.createObjectNode().put("changed", result.hasChanged()));
    }

    HttpResponse cleanUp(ServiceRequestContext ctx, String name, byte[] body) {
        JsonRequest json = JsonRequest.parse(body, Set.of("limit", "keepDone"));
        CleanUpRequest.Builder request = json.into(CleanUpRequest.getDefaultInstance(), name).toBuilder();
        return JsonResponses.of(
                ctx,
                keys.cleanUp(ctx, request.setLimit(json.number("limit")).build()),
                response ->
                        JsonResponses.ok(JsonRequest.JSON.createObjectNode().put("removed", response.getRemoved())));
    }
}
