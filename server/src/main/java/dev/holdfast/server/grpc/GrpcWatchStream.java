package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.proto.v1.WatchResponse;
import dev.holdfast.server.calls.KeyOperations;
import dev.holdfast.server.watch.StatusWatch;
import dev.holdfast.server.watch.WatchSink;
import dev.holdfast.server.wire.WireErrors;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** The sink of a watch that sends changes as messages of a gRPC stream. */
record GrpcWatchStream(ServerCallStreamObserver<WatchResponse> observer) implements WatchSink {
    static void begin(
            ServiceRequestContext ctx,
            KeyOperations keys,
            WatchRequest request,
            StreamObserver<WatchResponse> responses) {
        ServerCallStreamObserver<WatchResponse> observer = (ServerCallStreamObserver<WatchResponse>) responses;
        StatusWatch statusWatch;
        try {
            statusWatch = keys.watch(ctx, request, new GrpcWatchStream(observer));
        } catch (RuntimeException e) {
            observer.onError(WireErrors.of(e));
            return;
        }
        observer.setOnReadyHandler(statusWatch::ready);
    }

    @Override
    public boolean isReady() {
        return observer.isReady() && !observer.isCancelled();
    }

    @Override
    public void send(WatchResponse message) {
        observer.onNext(message);
    }

    @Override
    public void probe() {
        observer.onNext(WatchResponse.getDefaultInstance());
    }

    @Override
    public void fail(Throwable reason) {
        if (!observer.isCancelled()) {
            observer.onError(WireErrors.of(reason));
        }
    }
}
