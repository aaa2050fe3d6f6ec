package dev.holdfast.client;

import dev.holdfast.AttributePatch;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Token;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AnchorProof;
import dev.holdfast.proto.v1.CleanUpRequest;
import dev.holdfast.proto.v1.DeleteRequest;
import dev.holdfast.proto.v1.DoneRequest;
import dev.holdfast.proto.v1.EvictRequest;
import dev.holdfast.proto.v1.ExplainRequest;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.Held;
import dev.holdfast.proto.v1.ListRequest;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.ReopenRequest;
import dev.holdfast.proto.v1.SessionRequest;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.wire.AttributeMessages;
import dev.holdfast.wire.StatusMessages;
import dev.holdfast.wire.TimeMessages;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The conversion of requests to messages, and of a refusal from its message. */
final class RequestMessages {
    private RequestMessages() {}

    /**
     * @param anchor the token of the anchor that keeps the lease alive
     * @param waitNanos how long the server waits for the holder; zero or less to attempt once
     */
    static AcquireRequest acquire(Key key, LeaseRequest.Acquire request, @Nullable Token anchor, long waitNanos) {
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
        if (waitNanos > 0) {
            message.setWait(TimeMessages.wire(Duration.ofNanos(waitNanos)));
        }
        return message.build();
    }

    /** The content of the first heartbeat of an anchor. */
    static SessionRequest.Open session(Entry anchor, Token token) {
        Grant grant = Objects.requireNonNull(anchor.grant());
        return SessionRequest.Open.newBuilder()
                .setHolder(grant.holder().name())
                .setTerm(TimeMessages.wire(grant.term().duration()))
                .setToken(token.secret())
                .setResume(true)
                .build();
    }

    private static AnchorProof proof(Key anchor, Token token) {
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

    static ReleaseRequest release(Key key, LeaseRequest.Release request) {
        return ReleaseRequest.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .setToken(request.token().secret())
                .setNext(request.next() == null ? "" : request.next().name())
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

    static EvictRequest evict(Key key, LeaseRequest.EvictByForce request) {
        return EvictRequest.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .setReason(request.reason())
                .setActor(request.actor().name())
                .build();
    }

    static ExplainRequest explain(Key key) {
        return ExplainRequest.newBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .build();
    }

    static GetRequest get(Key key) {
        return getMessage(key).build();
    }

    /** @param through the anchor that keeps the lease alive; null for an administrator */
    static GetRequest getWithToken(Key key, dev.holdfast.service.@Nullable AnchorProof through) {
        return through == null
                ? getMessage(key).setWithToken(true).build()
                : getMessage(key)
                        .setUnder(proof(through.key(), through.token()))
                        .build();
    }

    private static GetRequest.Builder getMessage(Key key) {
        return GetRequest.newBuilder().setNamespace(key.namespace()).setName(key.name());
    }

    static ListRequest list(LeaseFilter filter, @Nullable String cursor, int limit) {
        ArgumentCheck.text("prefix", filter.prefix(), SizeLimits.NAMESPACE_BYTES);
        if (limit < 1) {
            throw ArgumentCheck.bad("limit", limit, ">= 1");
        }
        ListRequest.Builder message = ListRequest.newBuilder()
                .setPrefix(filter.prefix())
                .setPageSize(limit)
                .setMaxPages(1);
        filter.namePrefix()
                .ifPresent(it -> message.setNamePrefix(ArgumentCheck.text("namePrefix", it, SizeLimits.NAME_BYTES)));
        filter.state().ifPresent(state -> message.setState(StatusMessages.wire(state)));
        filter.holder().ifPresent(holder -> message.setHolder(holder.name()));
        filter.token().ifPresent(token -> message.setToken(token.secret()));
        if (cursor != null) {
            message.setCursor(cursor);
        }
        return message.build();
    }

    static CleanUpRequest cleanUp(CleanUpOptions options) {
        CleanUpRequest.Builder message = CleanUpRequest.newBuilder().setLimit(options.limit());
        options.keepDone().ifPresent(keep -> message.setKeepDone(TimeMessages.wire(keep)));
        return message.build();
    }

    static Decision.Held held(Held wire) {
        return new Decision.Held(
                Holder.of(wire.getHolder()),
                Token.HIDDEN,
                Fence.of(wire.getFence()),
                null,
                null,
                TimeMessages.duration("remaining", wire.getRemaining()));
    }
}
