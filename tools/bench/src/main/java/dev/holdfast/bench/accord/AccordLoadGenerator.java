package dev.holdfast.bench.accord;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.bench.CallerRace;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.AcquireResponse;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.DoneResponse;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A load generator: callers acquire new names and finish them through accord's protocol, all over one connection. */
record AccordLoadGenerator(V1Grpc.V1Stub accord, String namespace) {
    /** The pairs of acquire and done per second of all callers together. The warm-up does not count. */
    static double pairsPerSecond(int port, String namespace, int callers, int warmUpSeconds, int seconds)
            throws InterruptedException, ExecutionException {
        V1Grpc.V1Stub accord = GrpcClients.builder("gproto+http://127.0.0.1:" + port + "/")
                .responseTimeoutMillis(0)
                .build(V1Grpc.V1Stub.class);
        AccordLoadGenerator load = new AccordLoadGenerator(accord, namespace);
        return CallerRace.asyncRoundsPerSecond(
                callers, warmUpSeconds, seconds, caller -> number -> load.pair("caller-" + caller, number));
    }

    private CompletableFuture<DoneResponse> pair(String owner, long number) {
        AcquireRequest request = AcquireRequest.newBuilder()
                .setOwner(owner)
                .setNamespace(namespace)
                .setName(owner + "-" + number)
                .setTtl(600)
                .build();
        FirstResponse<AcquireResponse> acquired = new FirstResponse<>();
        accord.acquire(request, acquired);
        return acquired.future.thenCompose(response -> {
            if (response.getStatus() != Status.OK) {
                throw new IllegalStateException(request.getName() + " is " + response.getStatus());
            }
            DoneRequest done = DoneRequest.newBuilder()
                    .setOwner(owner)
                    .setHandleId(response.getHandle().getId())
                    .build();
            FirstResponse<DoneResponse> finished = new FirstResponse<>();
            accord.done(done, finished);
            return finished.future;
        });
    }

    private static final class FirstResponse<T> implements StreamObserver<T> {
        private final CompletableFuture<T> future = new CompletableFuture<>();

        @Override
        public void onNext(T response) {
            future.complete(response);
        }

        @Override
        public void onError(Throwable error) {
            future.completeExceptionally(error);
        }

        @Override
        public void onCompleted() {}
    }
}
