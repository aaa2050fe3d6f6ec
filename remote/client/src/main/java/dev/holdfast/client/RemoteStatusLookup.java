package dev.holdfast.client;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.StoreException;
import dev.holdfast.client.RemoteCall.What;
import dev.holdfast.proto.v1.CleanUpRequest;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ListRequest;
import dev.holdfast.service.AnchorProof;
import dev.holdfast.service.StatusLookup;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.OutcomeMessages;
import dev.holdfast.wire.StatusMessages;
import dev.holdfast.wire.TimeMessages;
import io.grpc.MethodDescriptor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The lookup of key statuses at a server. Thread-safe; never blocks. */
final class RemoteStatusLookup implements StatusLookup {
    private final RemoteContext remoteContext;

    RemoteStatusLookup(RemoteContext remoteContext) {
        this.remoteContext = remoteContext;
    }

    @Override
    public CompletableFuture<Optional<LeaseStatus>> get(Key key) {
        return get(key, GetRequest.newBuilder());
    }

    @Override
    public CompletableFuture<Optional<LeaseStatus>> getWithToken(Key key, @Nullable AnchorProof through) {
        return get(
                key,
                through == null
                        ? GetRequest.newBuilder().setWithToken(true)
                        : GetRequest.newBuilder().setUnder(RequestMessages.proof(through.key(), through.token())));
    }

    private CompletableFuture<Optional<LeaseStatus>> get(Key key, GetRequest.Builder message) {
        return call(
                key,
                LeasesGrpc.getGetMethod(),
                message.setNamespace(key.namespace()).setName(key.name()).build(),
                response -> response.hasStatus()
                        ? Optional.of(OutcomeMessages.status(response.getStatus()))
                        : Optional.empty());
    }

    @Override
    public CompletableFuture<ListedPage> list(LeaseFilter filter, @Nullable String cursor, int limit) {
        ArgumentCheck.text("prefix", filter.prefix(), SizeLimits.NAMESPACE_BYTES);
        if (limit < 1) {
            throw ArgumentCheck.bad("limit", limit, ">= 1");
        }
        ListRequest.Builder message = ListRequest.newBuilder()
                .setPrefix(filter.prefix())
                .setPageSize(limit)
                .setMaxPages(1);
        filter.state().ifPresent(leaseState -> message.setState(StatusMessages.wire(leaseState)));
        filter.holder().ifPresent(holder -> message.setHolder(holder.name()));
        filter.token().ifPresent(token -> message.setToken(token.secret()));
        if (cursor != null) {
            message.setCursor(cursor);
        }
        return call(
                null,
                LeasesGrpc.getListMethod(),
                message.build(),
                response -> new ListedPage(
                        response.getStatusesList().stream()
                                .map(status -> new ListedStatus(OutcomeMessages.status(status), null))
                                .toList(),
                        response.getCursor().isEmpty() ? null : response.getCursor()));
    }

    @Override
    public CompletableFuture<Long> cleanUp(CleanUpOptions options) {
        CleanUpRequest.Builder message = CleanUpRequest.newBuilder().setLimit(options.limit());
        options.keepDone().ifPresent(keep -> message.setKeepDone(TimeMessages.wire(keep)));
        return call(null, LeasesGrpc.getCleanUpMethod(), message.build(), response -> response.getRemoved());
    }

    private <Q, R, T> CompletableFuture<T> call(
            @Nullable Key key, MethodDescriptor<Q, R> method, Q message, Function<R, T> mapper) {
        What<Q, R> spec = new What<>(key, method, () -> message, remoteContext.attemptTimeout(), true);
        return Futures.claim(
                RemoteCall.start(remoteContext, spec, remoteContext.operationDeadline()),
                reply -> {
                    if (reply.lost() != null && key != null) {
                        throw new LeaseLostException(key, reply.lost()); // The anchor in the request is not held.
                    }
                    try {
                        return mapper.apply(reply.requireMessage());
                    } catch (IllegalArgumentException e) {
                        throw StoreException.unknown("unreadable response: " + e.getMessage(), e);
                    }
                },
                unwanted -> {});
    }
}
