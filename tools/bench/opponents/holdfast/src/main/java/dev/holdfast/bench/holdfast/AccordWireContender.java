package dev.holdfast.bench.holdfast;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.bench.contender.AsyncContender;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.AcquireResponse;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.DoneResponse;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A client of accord's wire: acquire and done, over one connection. */
final class AccordWireContender implements LockContender {
    /** Not that of the other contender on the same server. */
    private static final String NAMESPACE = "accord";

    private final V1Grpc.V1Stub accord;
    private final String owner;
    private final int termSeconds;

    AccordWireContender(ContenderSettings settings) {
        accord = GrpcClients.builder("gproto+" + settings.url() + "/")
                .responseTimeoutMillis(0)
                .build(V1Grpc.V1Stub.class);
        owner = settings.worker();
        termSeconds = (int) settings.term().toSeconds();
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) throws Exception {
        return acquire(name).get();
    }

    @Override
    public Optional<AsyncContender> async() {
        return Optional.of(this::acquire);
    }

    private CompletableFuture<Optional<HeldLock>> acquire(String name) {
        SingleAnswer<AcquireResponse> answer = new SingleAnswer<>();
        accord.acquire(
                AcquireRequest.newBuilder()
                        .setOwner(owner)
                        .setNamespace(NAMESPACE)
                        .setName(name)
                        .setTtl(termSeconds)
                        .build(),
                answer);
        return answer.future.thenApply(
                found -> found.getStatus() == Status.OK ? Optional.of(new HandleLock(found)) : Optional.empty());
    }

    @Override
    public boolean hasDone() {
        return true;
    }

    @Override
    public void close() {
        ClientFactory.ofDefault().close();
    }

    private final class HandleLock implements HeldLock {
        private final DoneRequest done;

        HandleLock(AcquireResponse found) {
            done = DoneRequest.newBuilder()
                    .setOwner(owner)
                    .setHandleId(found.getHandle().getId())
                    .build();
        }

        @Override
        public void release() {
            throw new UnsupportedOperationException("accord releases by done only");
        }

        @Override
        public void done() throws Exception {
            doneAsync().toCompletableFuture().get();
        }

        @Override
        public CompletionStage<?> doneAsync() {
            SingleAnswer<DoneResponse> answer = new SingleAnswer<>();
            accord.done(done, answer);
            return answer.future;
        }
    }

    private static final class SingleAnswer<T> implements StreamObserver<T> {
        private final CompletableFuture<T> future = new CompletableFuture<>();

        @Override
        public void onNext(T answer) {
            future.complete(answer);
        }

        @Override
        public void onError(Throwable error) {
            future.completeExceptionally(error);
        }

        @Override
        public void onCompleted() {}
    }
}
