package dev.holdfast.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LostReason;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.AnchorProof;
import dev.holdfast.proto.v1.AttributePatch;
import dev.holdfast.proto.v1.DoneRequest;
import dev.holdfast.proto.v1.Grant;
import dev.holdfast.proto.v1.LeaseStatus;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.server.calls.LeaseOperations;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.service.Answer;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.StatusMessages;
import dev.holdfast.wire.TimeMessages;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The HTTP actions of holders. */
final class HttpLeaseActions {
    private static final Set<String> ACQUIRE =
            Set.of("namespace", "holder", "token", "term", "wait", "attributes", "under");
    private static final Set<String> RENEW = Set.of("namespace", "token", "term", "attributes", "replaceAttributes");
    private static final Set<String> CHANGE = Set.of("namespace", "token", "attributes", "replaceAttributes");
    private static final Set<String> RELEASE = Set.of("namespace", "token");

    private final ServedLeases served;
    private final LeaseOperations calls;

    HttpLeaseActions(ServedLeases served, LeaseOperations calls) {
        this.served = served;
        this.calls = calls;
    }

    private Instant now() {
        return served.service().environment().now();
    }

    HttpResponse acquire(ServiceRequestContext ctx, String name, byte[] body) {
        JsonRequest json = JsonRequest.parse(body, ACQUIRE);
        AcquireRequest.Builder request = json.into(AcquireRequest.newBuilder()).setName(name);
        ObjectNode under = json.object("under");
        if (under != null) {
            request.setUnder(proof(under));
        }
        AttributePatch attributes = JsonAttributes.patch(json.object("attributes"), false);
        if (attributes.getRemoveCount() > 0) {
            throw ArgumentCheck.bad("attributes", attributes.getRemove(0) + " is null", "values only");
        }
        Instant begun = now();
        CompletableFuture<Answer> pending = calls.acquire(
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
            case GRANTED ->
                JsonResponses.ok(written(response.getGranted().getStatus(), begun));
            case HELD -> JsonResponses.held(response.getHeld());
            case DONE ->
                JsonResponses.json(
                        HttpStatus.GONE,
                        JsonResponses.error("done", "the key is done; it is not granted again until it is reopened")
                                .put(
                                        "doneAt",
                                        JsonStatus.time(response.getDone().getDoneAt())));
            case OUTCOME_NOT_SET -> throw new IllegalStateException("an acquire without an outcome");
        };
    }

    HttpResponse renew(ServiceRequestContext ctx, String name, byte[] body) {
        JsonRequest json = JsonRequest.parse(body, RENEW);
        RenewRequest.Builder request = json.into(RenewRequest.newBuilder()).setName(name);
        Instant begun = now();
        return JsonResponses.of(
                ctx,
                calls.renew(ctx, request.setAttributes(patch(json)).build()),
                renewed -> JsonResponses.ok(written(renewed.getStatus(), begun)));
    }

    HttpResponse release(ServiceRequestContext ctx, String name, byte[] body) {
        JsonRequest json = JsonRequest.parse(body, RELEASE);
        ReleaseRequest request =
                json.into(ReleaseRequest.newBuilder()).setName(name).build();
        return JsonResponses.of(ctx, calls.release(ctx, request), response -> {
            if (!response.getReleased()) {
                Key key = Key.of(request.getNamespace(), name);
                return JsonResponses.failed(new LeaseLostException(key, LostReason.TAKEN));
            }
            return JsonResponses.ok(JsonRequest.JSON.createObjectNode().put("released", true));
        });
    }

    HttpResponse done(ServiceRequestContext ctx, String name, byte[] body) {
        JsonRequest json = JsonRequest.parse(body, CHANGE);
        DoneRequest.Builder request = json.into(DoneRequest.newBuilder()).setName(name);
        return JsonResponses.of(
                ctx,
                calls.done(ctx, request.setAttributes(patch(json)).build()),
                done -> JsonResponses.ok(JsonStatus.json(done.getStatus())));
    }

    HttpResponse update(ServiceRequestContext ctx, String name, byte[] body) {
        JsonRequest json = JsonRequest.parse(body, CHANGE);
        UpdateRequest.Builder request = json.into(UpdateRequest.newBuilder()).setName(name);
        return JsonResponses.of(
                ctx,
                calls.update(ctx, request.setAttributes(patch(json)).build()),
                updated -> JsonResponses.ok(JsonStatus.json(updated.getStatus())));
    }

    private static AttributePatch patch(JsonRequest json) {
        return JsonAttributes.patch(json.object("attributes"), json.bool("replaceAttributes"));
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
}
