package dev.holdfast.client;

import dev.holdfast.AsyncLeases.StatusPage;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Relay.AnchorProof;
import dev.holdfast.client.RemoteCall.What;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.client.Lookup;
import dev.holdfast.model.Key;
import dev.holdfast.model.LeaseLostException;
import dev.holdfast.model.Limits;
import dev.holdfast.proto.v1.CleanUpRequest;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ListRequest;
import dev.holdfast.spi.StoreException;
import dev.holdfast.wire.Statuses;
import dev.holdfast.wire.Times;
import dev.holdfast.wire.Told;
import io.grpc.MethodDescriptor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a server knows of keys. Thread-safe; never blocks. */
final class RemoteLookup implements Lookup {
    private final Remote remote;

    RemoteLookup(Remote remote) {
        this.remote = remote;
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
                        : GetRequest.newBuilder().setUnder(Messages.proof(through.key(), through.token())));
    }

    private CompletableFuture<Optional<LeaseStatus>> get(Key key, GetRequest.Builder message) {
        return ask(
                key,
                LeasesGrpc.getGetMethod(),
                message.setNamespace(key.namespace()).setName(key.name()).build(),
                response -> response.hasStatus() ? Optional.of(Told.status(response.getStatus())) : Optional.empty());
    }

    @Override
    public CompletableFuture<StatusPage> page(LeaseFilter filter, @Nullable String cursor, int limit) {
        Check.text("prefix", filter.prefix(), Limits.NAMESPACE_BYTES);
        if (limit < 1) {
            throw Check.bad("limit", limit, ">= 1");
        }
        ListRequest.Builder message = ListRequest.newBuilder()
                .setPrefix(filter.prefix())
                .setPageSize(limit)
                .setMaxPages(1);
        filter.state().ifPresent(state -> message.setState(Statuses.wire(state)));
        filter.holder().ifPresent(holder -> message.setHolder(holder.name()));
        filter.token().ifPresent(token -> message.setToken(token.secret()));
        if (cursor != null) {
            message.setCursor(cursor);
        }
        return ask(
                null,
                LeasesGrpc.getListMethod(),
                message.build(),
                response -> new StatusPage(
                        response.getStatusesList().stream().map(Told::status).toList(),
                        response.getCursor().isEmpty() ? null : response.getCursor()));
    }

    @Override
    public CompletableFuture<Long> cleanUp(CleanUpOptions options) {
        CleanUpRequest.Builder message = CleanUpRequest.newBuilder().setLimit(options.limit());
        options.keepDone().ifPresent(keep -> message.setKeepDone(Times.wire(keep)));
        return ask(null, LeasesGrpc.getCleanUpMethod(), message.build(), response -> response.getRemoved());
    }

    private <Q, R, T> CompletableFuture<T> ask(
            @Nullable Key key, MethodDescriptor<Q, R> method, Q message, Function<R, T> mapper) {
        What<Q, R> what = new What<>(key, method, () -> message, remote.patience(), true);
        return Futures.claim(
                RemoteCall.ask(remote, what, remote.usualDeadline()),
                reply -> {
                    if (reply.lost() != null && key != null) {
                        throw new LeaseLostException(key, reply.lost()); // An anchor that was shown is not held.
                    }
                    try {
                        return mapper.apply(reply.told());
                    } catch (IllegalArgumentException e) {
                        throw StoreException.unknown("an answer that cannot be read: " + e.getMessage(), e);
                    }
                },
                unwanted -> {});
    }
}
