package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Key;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.proto.v1.WatchResponse;
import dev.holdfast.server.ServerParts;
import dev.holdfast.server.WatchCalls;
import dev.holdfast.server.watch.Sink;
import dev.holdfast.server.watch.Watcher;
import dev.holdfast.server.wire.Errors;
import dev.holdfast.wire.Statuses;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** News of keys, as messages of a stream. */
final class WatchStream implements Sink {
    private final ServerCallStreamObserver<WatchResponse> observer;
    private final boolean withTokens;

    private WatchStream(ServerCallStreamObserver<WatchResponse> observer, boolean withTokens) {
        this.observer = observer;
        this.withTokens = withTokens;
    }

    static void begin(
            ServiceRequestContext ctx,
            ServerParts parts,
            WatchRequest request,
            StreamObserver<WatchResponse> responses) {
        ServerCallStreamObserver<WatchResponse> observer = (ServerCallStreamObserver<WatchResponse>) responses;
        Watcher watcher;
        try {
            watcher = WatchCalls.watch(ctx, parts, request, new WatchStream(observer, request.getWithTokens()));
        } catch (RuntimeException e) {
            observer.onError(Errors.of(e));
            return;
        }
        observer.setOnReadyHandler(watcher::ready);
    }

    @Override
    public boolean isReady() {
        return observer.isReady() && !observer.isCancelled();
    }

    @Override
    public void tell(List<LeaseStatus> statuses, List<Key> removed, boolean inSync) {
        WatchResponse.Builder news = WatchResponse.newBuilder().setInSync(inSync);
        statuses.forEach(status -> news.addStatuses(Statuses.wire(status, withTokens)));
        removed.forEach(key -> news.addRemoved(Statuses.wire(key)));
        observer.onNext(news.build());
    }

    @Override
    public void probe() {
        observer.onNext(WatchResponse.getDefaultInstance());
    }

    @Override
    public void fail(Throwable reason) {
        if (!observer.isCancelled()) {
            observer.onError(Errors.of(reason));
        }
    }
}
