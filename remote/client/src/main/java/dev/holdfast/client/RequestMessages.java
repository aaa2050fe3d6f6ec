package dev.holdfast.client;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AnchorProof;
import dev.holdfast.proto.v1.DeleteRequest;
import dev.holdfast.proto.v1.DoneRequest;
import dev.holdfast.proto.v1.EvictRequest;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.ReopenRequest;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.wire.AttributeMessages;
import dev.holdfast.wire.StatusMessages;
import dev.holdfast.wire.TimeMessages;
import org.jspecify.annotations.Nullable;

/** The conversion of requests to messages. */
final class RequestMessages {
    private RequestMessages() {}

    /** @param anchor the token of the anchor that keeps the lease alive */
    static AcquireRequest.Builder acquire(Key key, LeaseRequest.Acquire request, @Nullable Token anchor) {
        AcquireRequest.Builder message = AcquireRequest.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .setToken(request.token().secret())
                .setHolder(request.holder().name())
                .setTerm(TimeMessages.wire(request.term().duration()))
                .putAllAttributes(AttributeMessages.wire(request.attributes().puts()));
        if (request.anchor() != null) {
            message.setUnder(proof(request.anchor().key(), anchor == null ? Token.HIDDEN : anchor));
        }
        return message;
    }

    static AnchorProof proof(Key anchor, Token token) {
        return AnchorProof.newBuilder()
                .setKey(StatusMessages.wire(anchor))
                .setToken(token.secret())
                .build();
    }

    static RenewRequest renew(Key key, LeaseRequest.Renew request) {
        if (request.holder() != null) {
            throw ArgumentCheck.bad("holder", request.holder(), "none, as a server does not change it with a renewal");
        }
        RenewRequest.Builder message = RenewRequest.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .setToken(request.token().secret());
        if (request.term() != null) {
            message.setTerm(TimeMessages.wire(request.term().duration()));
        }
        if (!request.attributes().equals(AttributePatch.NONE)) {
            message.setAttributes(AttributeMessages.wire(request.attributes()));
        }
        return message.build();
    }

    static ReleaseRequest release(Key key, Token token) {
        return ReleaseRequest.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .setToken(token.secret())
                .build();
    }

    static DoneRequest done(Key key, LeaseRequest.Done request) {
        DoneRequest.Builder message = DoneRequest.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .setToken(request.token().secret());
        if (!request.attributes().equals(AttributePatch.NONE)) {
            message.setAttributes(AttributeMessages.wire(request.attributes()));
        }
        return message.build();
    }

    static UpdateRequest update(Key key, LeaseRequest.Update request) {
        return UpdateRequest.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .setToken(request.token().secret())
                .setAttributes(AttributeMessages.wire(request.attributes()))
                .build();
    }

    static ReopenRequest reopen(Key key) {
        return ReopenRequest.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .build();
    }

    static DeleteRequest delete(Key key, LeaseRequest.Delete request) {
        DeleteRequest.Builder message =
                DeleteRequest.newBuilder().setNamespace(key.namespace()).setName(key.name());
        if (request.token() != null) {
            message.setToken(request.token().secret());
        }
        return message.build();
    }

    static EvictRequest evict(Key key, String reason) {
        return EvictRequest.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .setReason(reason)
                .build();
    }
}
