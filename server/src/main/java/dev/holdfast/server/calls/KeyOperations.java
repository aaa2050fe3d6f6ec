package dev.holdfast.server.calls;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AcquireResult;
import dev.holdfast.AsyncLeases;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.EditResult;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Token;
import dev.holdfast.proto.v1.CleanUpRequest;
import dev.holdfast.proto.v1.CleanUpResponse;
import dev.holdfast.proto.v1.DeleteRequest;
import dev.holdfast.proto.v1.EditResponse;
import dev.holdfast.proto.v1.EvictRequest;
import dev.holdfast.proto.v1.ExplainRequest;
import dev.holdfast.proto.v1.ExplainResponse;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.GetResponse;
import dev.holdfast.proto.v1.Held;
import dev.holdfast.proto.v1.ListRequest;
import dev.holdfast.proto.v1.ListResponse;
import dev.holdfast.proto.v1.ReopenRequest;
import dev.holdfast.proto.v1.State;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.server.extension.ServerDrain;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.server.security.ClientName;
import dev.holdfast.server.security.FleetOrderKeys;
import dev.holdfast.server.watch.StatusWatch;
import dev.holdfast.server.watch.WatchScope;
import dev.holdfast.server.watch.WatchSink;
import dev.holdfast.server.wire.LongRequests;
import dev.holdfast.store.Grant;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.ExplanationMessages;
import dev.holdfast.wire.OutcomeMessages;
import dev.holdfast.wire.StatusMessages;
import dev.holdfast.wire.TimeMessages;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** The calls that read, watch and administer keys, independent of the protocol they arrived by. No method blocks. */
public final class KeyOperations {
    /** The largest page: even with the largest attributes it fits into one message. */
    static final int LARGEST_PAGE = 1_000;

    private static final int USUAL_PAGE = 500;

    private final ServerComponents parts;
    private final AsyncLeases leases;
    private final CallerAnchors anchors;

    public KeyOperations(ServerComponents parts, CallerAnchors anchors) {
        this.parts = parts;
        this.anchors = anchors;
        this.leases = parts.leases();
    }

    public CompletionStage<GetResponse> get(ServiceRequestContext ctx, GetRequest request) {
        Key key = Key.of(request.getNamespace(), request.getName());
        boolean withToken = request.getWithToken();
        parts.guard().require(ctx, withToken ? Access.ADMINISTER : Access.READ, key.namespace());
        if (!request.hasUnder()) {
            return leases.get(key).thenApply(found -> {
                if (withToken) {
                    found.ifPresent(status -> noteShown(ctx, status));
                }
                return response(found, withToken);
            });
        }
        return anchors.prove(ctx, LeaseOperations.proof(request.getUnder()))
                .thenCompose(anchor -> leases.get(key)
                        .thenApply(found -> response(
                                found,
                                withToken
                                        || found.filter(status -> anchor.ref()
                                                        .equals(status.entry().heldThrough()))
                                                .isPresent())));
    }

    public CompletionStage<ExplainResponse> explain(ServiceRequestContext ctx, ExplainRequest request) {
        Key key = Key.of(request.getNamespace(), request.getName());
        parts.guard().require(ctx, Access.READ, key.namespace());
        return leases.explain(key)
                .thenApply(it -> ExplanationMessages.wire(parts.origins().addTo(it)));
    }

    private void noteShown(ServiceRequestContext ctx, LeaseStatus status) {
        Grant grant = status.entry().grant();
        if (grant != null) {
            parts.audit().tokenShown(ctx, status.key(), grant.token());
        }
    }

    private static GetResponse response(Optional<LeaseStatus> found, boolean withToken) {
        GetResponse.Builder response = GetResponse.newBuilder();
        found.ifPresent(status -> response.setStatus(StatusMessages.withHistory(status, withToken)));
        return response.build();
    }

    /**
     * Lists one page.
     *
     * @param cursor where the page starts; empty for the first page
     */
    public CompletableFuture<ListResponse> list(ServiceRequestContext ctx, ListRequest request, String cursor) {
        boolean withTokens = request.getWithTokens();
        Predicate<String> allowed =
                parts.guard().allowed(ctx, withTokens ? Access.ADMINISTER : Access.READ, request.getPrefix());
        if (withTokens && cursor.isEmpty()) {
            parts.audit().tokensShown(ctx, "list-tokens", request.getPrefix());
        }
        return leases.list(filter(request), cursor.isEmpty() ? null : cursor, pageSize(request))
                .toCompletableFuture()
                .thenApply(page -> {
                    ListResponse.Builder response = ListResponse.newBuilder();
                    page.statuses().stream()
                            .filter(status -> allowed.test(status.key().namespace()))
                            .forEach(status -> response.addStatuses(StatusMessages.wire(status, withTokens)));
                    return page.cursor() == null
                            ? response.build()
                            : response.setCursor(page.cursor()).build();
                });
    }

    private static int pageSize(ListRequest request) {
        int size = request.getPageSize() == 0 ? USUAL_PAGE : request.getPageSize();
        if (size < 1 || size > LARGEST_PAGE) {
            throw ArgumentCheck.bad("pageSize", size, ">= 1 and <= " + LARGEST_PAGE);
        }
        return size;
    }

    private static LeaseFilter filter(ListRequest request) {
        LeaseFilter filter = request.hasNamePrefix()
                ? LeaseFilter.names(request.getPrefix(), request.getNamePrefix())
                : LeaseFilter.namespacePrefix(request.getPrefix());
        if (request.getState() != State.STATE_UNSPECIFIED) {
            filter = filter.state(OutcomeMessages.state(request.getState()));
        }
        if (!request.getHolder().isEmpty()) {
            filter = filter.holder(Holder.of(request.getHolder()));
        }
        return request.getToken().isEmpty() ? filter : filter.token(LeaseOperations.token(request.getToken()));
    }

    /** Starts a watch that lasts until the request ends or the server begins to shut down. */
    public StatusWatch watch(ServiceRequestContext ctx, WatchRequest request, WatchSink watchSink) {
        Access access = request.getWithTokens() ? Access.ADMINISTER : Access.READ;
        String prefix = ArgumentCheck.text("prefix", request.getPrefix(), SizeLimits.NAMESPACE_BYTES);
        WatchScope scope = new WatchScope(
                ClientName.of(ctx),
                parts.guard().ranges(ctx, access, prefix),
                parts.guard().allowed(ctx, access, prefix),
                request.getWithTokens());
        if (request.getWithTokens()) {
            parts.audit().tokensShown(ctx, "watch-tokens", prefix);
        }
        parts.drain().refuseIfBegun();
        Runnable leave = parts.admission().watch(ctx);
        try {
            StatusWatch statusWatch = parts.watches().watch(scope, watchSink, ctx.eventLoop());
            Runnable unregister = failOnShutdown(statusWatch);
            LongRequests.onRevoked(ctx, statusWatch::fail);
            Futures.whenDone(ctx.log().whenComplete(), (log, error) -> {
                statusWatch.leave();
                unregister.run();
                leave.run();
            });
            return statusWatch;
        } catch (RuntimeException e) {
            leave.run();
            throw e;
        }
    }

    private Runnable failOnShutdown(StatusWatch statusWatch) {
        try {
            return parts.drain().onBegin(() -> statusWatch.fail(ServerDrain.ending()));
        } catch (RuntimeException e) {
            statusWatch.leave();
            throw e;
        }
    }

    public CompletionStage<EditResponse> reopen(ServiceRequestContext ctx, ReopenRequest request) {
        Key key = administered(ctx, request.getNamespace(), request.getName());
        return edited(ctx, "reopen", key, "", leases.reopen(key));
    }

    /**
     * Deletes a key. A holder may delete the key that it holds. A caller that may lease in a group of anchors may
     * delete anchors of that group that are not held. It could acquire them just as well, and planners delete the
     * anchors of workers that stopped renewing. Planners also delete moves that are over: see {@link FleetOrderKeys}.
     */
    public CompletionStage<EditResponse> delete(ServiceRequestContext ctx, DeleteRequest request) {
        Key key = Key.of(request.getNamespace(), request.getName());
        if (request.getToken().isEmpty()) {
            requireMayDelete(ctx, key);
            return edited(ctx, "delete", key, "", leases.delete(key, null));
        }
        parts.guard().require(ctx, Access.LEASE, key.namespace());
        Token token = LeaseOperations.token(request.getToken());
        return anchors.find(ctx, key, token)
                .thenCompose(place -> edited(ctx, "delete", place.key(), "", leases.delete(place.key(), token)));
    }

    private void requireMayDelete(ServiceRequestContext ctx, Key key) {
        boolean isOfGroup = key.isAnchor() && !key.isUngroupedAnchor();
        String fleet = FleetOrderKeys.deletableBy(key);
        if (fleet.isEmpty()) {
            parts.guard().require(ctx, isOfGroup ? Access.LEASE : Access.ADMINISTER, key.namespace());
        } else {
            parts.guard().require(ctx, Access.LEASE, fleet);
        }
    }

    public CompletionStage<EditResponse> evict(ServiceRequestContext ctx, EvictRequest request) {
        Key key = administered(ctx, request.getNamespace(), request.getName());
        String reason = request.getReason();
        return edited(ctx, "evict", key, reason, leases.evict(key, reason, actor(ctx, request.getActor())));
    }

    /** The authenticated caller, and then the name that it gives itself, which proves nothing. */
    private Holder actor(ServiceRequestContext ctx, String stated) {
        Optional<String> caller = parts.guard().caller(ctx);
        if (caller.isEmpty()) {
            return Holder.of(
                    stated.isEmpty() ? "a client at " + ctx.clientAddress().getHostAddress() : stated);
        }
        String both = caller.get() + " (" + stated + ")";
        boolean isOne = stated.isEmpty()
                || stated.equals(caller.get())
                || ArgumentCheck.utf8Length(both) > SizeLimits.HOLDER_BYTES;
        return Holder.of(isOne ? caller.get() : both);
    }

    public CompletionStage<CleanUpResponse> cleanUp(ServiceRequestContext ctx, CleanUpRequest request) {
        parts.guard().requireAll(ctx, Access.ADMINISTER, "");
        CleanUpOptions options = CleanUpOptions.idle(request.getLimit());
        if (request.hasKeepDone()) {
            options = options.doneOlderThan(TimeMessages.duration("keepDone", request.getKeepDone()));
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

    private static String resultName(EditResult result) {
        return result instanceof AcquireResult.HeldByAnother
                ? "held"
                : result instanceof EditResult.Changed ? "changed" : "unchanged";
    }

    private CompletionStage<EditResponse> edited(
            ServiceRequestContext ctx, String action, Key key, String reason, CompletionStage<EditResult> edit) {
        return parts.audit()
                .after(ctx, action, key, reason, edit, KeyOperations::resultName)
                .thenApply(result -> {
                    EditResponse.Builder response = EditResponse.newBuilder();
                    if (result instanceof AcquireResult.HeldByAnother held) {
                        response.setHeld(Held.newBuilder()
                                .setHolder(held.holder().name())
                                .setFence(held.fence().value())
                                .setRemaining(TimeMessages.wire(held.remaining())));
                    } else if (result instanceof EditResult.Changed) {
                        parts.changed(key);
                        response.setChanged(EditResponse.Changed.getDefaultInstance());
                    } else {
                        response.setUnchanged(EditResponse.Unchanged.getDefaultInstance());
                    }
                    return response.build();
                });
    }
}
