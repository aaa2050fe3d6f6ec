package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AsyncLeases;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.EditResult;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Relay;
import dev.holdfast.internal.Check;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.proto.v1.CleanUpRequest;
import dev.holdfast.proto.v1.CleanUpResponse;
import dev.holdfast.proto.v1.DeleteRequest;
import dev.holdfast.proto.v1.EditResponse;
import dev.holdfast.proto.v1.EvictRequest;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.GetResponse;
import dev.holdfast.proto.v1.Held;
import dev.holdfast.proto.v1.ListRequest;
import dev.holdfast.proto.v1.ListResponse;
import dev.holdfast.proto.v1.ReopenRequest;
import dev.holdfast.server.Guard.Access;
import dev.holdfast.wire.Statuses;
import dev.holdfast.wire.Times;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The calls of those who look at keys and put them in order, whichever way they came in. Nothing blocks. */
public final class KeyCalls {
    /** The largest page: with the largest attributes it is still less than a message may be long. */
    static final int LARGEST_PAGE = 1_000;

    private static final int USUAL_PAGE = 500;

    private final ServerParts parts;
    private final AsyncLeases leases;

    public KeyCalls(ServerParts parts) {
        this.parts = parts;
        this.leases = parts.leases().async();
    }

    public CompletionStage<GetResponse> get(ServiceRequestContext ctx, GetRequest request) {
        Key key = Key.of(request.getNamespace(), request.getName());
        boolean withToken = request.getWithToken();
        parts.guard().require(ctx, withToken ? Access.ADMINISTER : Access.READ, key.namespace());
        if (!request.hasUnder()) {
            return leases.get(key).thenApply(found -> response(found, withToken));
        }
        Relay.AnchorProof proof = LeaseCalls.proof(request.getUnder());
        return parts.leases()
                .relay()
                .prove(proof)
                .thenCompose(anchor -> leases.get(key)
                        .thenApply(found -> response(
                                found,
                                withToken
                                        || found.filter(status -> anchor.equals(
                                                        status.entry().heldThrough()))
                                                .isPresent())));
    }

    private static GetResponse response(Optional<LeaseStatus> found, boolean withToken) {
        GetResponse.Builder response = GetResponse.newBuilder();
        found.ifPresent(status -> response.setStatus(Statuses.wire(status, withToken)));
        return response.build();
    }

    /** One page, from {@code cursor} on; empty for the first. */
    public CompletionStage<ListResponse> list(ServiceRequestContext ctx, ListRequest request, String cursor) {
        boolean withTokens = request.getWithTokens();
        Predicate<String> allowed =
                parts.guard().allowed(ctx, withTokens ? Access.ADMINISTER : Access.READ, request.getPrefix());
        return leases.list(filter(request), cursor.isEmpty() ? null : cursor, pageSize(request))
                .thenApply(page -> {
                    ListResponse.Builder response = ListResponse.newBuilder();
                    page.statuses().stream()
                            .filter(status -> allowed.test(status.key().namespace()))
                            .forEach(status -> response.addStatuses(Statuses.wire(status, withTokens)));
                    return page.cursor() == null
                            ? response.build()
                            : response.setCursor(page.cursor()).build();
                });
    }

    private static int pageSize(ListRequest request) {
        int size = request.getPageSize() == 0 ? USUAL_PAGE : request.getPageSize();
        if (size < 1 || size > LARGEST_PAGE) {
            throw Check.bad("pageSize", size, ">= 1 and <= " + LARGEST_PAGE);
        }
        return size;
    }

    private static LeaseFilter filter(ListRequest request) {
        LeaseFilter filter = LeaseFilter.namespacePrefix(request.getPrefix());
        State state = state(request.getState());
        if (state != null) {
            filter = filter.state(state);
        }
        if (!request.getHolder().isEmpty()) {
            filter = filter.holder(Holder.of(request.getHolder()));
        }
        return request.getToken().isEmpty() ? filter : filter.token(LeaseCalls.token(request.getToken()));
    }

    private static @Nullable State state(dev.holdfast.proto.v1.State wire) {
        return switch (wire) {
            case STATE_FREE -> State.FREE;
            case STATE_HELD -> State.HELD;
            case STATE_DONE -> State.DONE;
            case STATE_UNSPECIFIED -> null;
            case UNRECOGNIZED -> throw Check.bad("state", wire, "STATE_FREE, STATE_HELD or STATE_DONE");
        };
    }

    public CompletionStage<EditResponse> reopen(ServiceRequestContext ctx, ReopenRequest request) {
        Key key = administered(ctx, request.getNamespace(), request.getName());
        return edited(key, leases.reopen(key));
    }

    /** Whoever has its token may delete what he holds. */
    public CompletionStage<EditResponse> delete(ServiceRequestContext ctx, DeleteRequest request) {
        if (request.getToken().isEmpty()) {
            Key key = administered(ctx, request.getNamespace(), request.getName());
            return edited(key, leases.delete(key, null));
        }
        Key key = Key.of(request.getNamespace(), request.getName());
        parts.guard().require(ctx, Access.LEASE, key.namespace());
        return edited(key, leases.delete(key, LeaseCalls.token(request.getToken())));
    }

    public CompletionStage<EditResponse> evict(ServiceRequestContext ctx, EvictRequest request) {
        Key key = administered(ctx, request.getNamespace(), request.getName());
        return edited(key, leases.evict(key, request.getReason()));
    }

    public CompletionStage<CleanUpResponse> cleanUp(ServiceRequestContext ctx, CleanUpRequest request) {
        parts.guard().requireAll(ctx, Access.ADMINISTER, "");
        CleanUpOptions options = CleanUpOptions.idle(request.getLimit());
        if (request.hasKeepDone()) {
            options = options.doneOlderThan(Times.duration("keepDone", request.getKeepDone()));
        }
        return leases.cleanUp(options)
                .thenApply(removed ->
                        CleanUpResponse.newBuilder().setRemoved(removed).build());
    }

    private Key administered(ServiceRequestContext ctx, String namespace, String name) {
        Key key = Key.of(namespace, name);
        parts.guard().require(ctx, Access.ADMINISTER, key.namespace());
        return key;
    }

    private CompletionStage<EditResponse> edited(Key key, CompletionStage<EditResult> edit) {
        return edit.thenApply(result -> {
            EditResponse.Builder response = EditResponse.newBuilder();
            if (result instanceof EditResult.Held held) {
                response.setHeld(Held.newBuilder()
                        .setHolder(held.holder().name())
                        .setFence(held.fence().value())
                        .setRemaining(Times.wire(held.remaining())));
            } else if (result instanceof EditResult.Changed) {
                parts.watches().changed(key);
                response.setChanged(EditResponse.Changed.getDefaultInstance());
            } else {
                response.setUnchanged(EditResponse.Unchanged.getDefaultInstance());
            }
            return response.build();
        });
    }
}
