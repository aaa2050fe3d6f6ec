package dev.holdfast.bench;

import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.AcquireResponse;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.DoneResponse;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** A load generator: callers acquire new names and finish them through accord's protocol, all over one connection. */
final class AccordLoadGenerator {
    private static final long NANOS = 1_000_000_000L;

    private final V1Grpc.V1Stub accord;
    private final String namespace;
    private final long fromNanos;
    private final long untilNanos;
    private final AtomicLong counted = new AtomicLong();
    private final AtomicReference<Throwable> firstFailure = new AtomicReference<>();
    private final CountDownLatch running;

    private AccordLoadGenerator(V1Grpc.V1Stub accord, String namespace, int callers, int warmUpSeconds, int seconds) {
        this.accord = accord;
        this.namespace = namespace;
        this.fromNanos = System.nanoTime() + warmUpSeconds * NANOS;
        this.untilNanos = fromNanos + seconds * NANOS;
        this.running = new CountDownLatch(callers);
    }

    /** The pairs of acquire and done per second of all callers together. The warm-up does not count. */
    static double pairsPerSecond(int port, String namespace, int callers, int warmUpSeconds, int seconds)
            throws InterruptedException {
        V1Grpc.V1Stub accord = GrpcClients.builder("gproto+http://127.0.0.1:" + port + "/")
                .responseTimeoutMillis(0)
                .build(V1Grpc.V1Stub.class);
        AccordLoadGenerator load = new AccordLoadGenerator(accord, namespace, callers, warmUpSeconds, seconds);
        for (int caller = 0; caller < callers; caller++) {
            load.acquire("caller-" + caller, 0);
        }
        load.running.await();
        Throwable failure = load.firstFailure.get();
        if (failure != null) {
            throw new IllegalStateException("a caller failed", failure);
        }
        return (double) load.counted.get() / seconds;
    }

    private void acquire(String owner, long number) {
        AcquireRequest request = AcquireRequest.newBuilder()
                .setOwner(owner)
                .setNamespace(namespace)
                .setName(owner + "-" + number)
                .setTtl(600)
                .build();
        accord.acquire(request, then((AcquireResponse response) -> {
            if (response.getStatus() != Status.OK) {
                throw new IllegalStateException(request.getName() + " is " + response.getStatus());
            }
            DoneRequest done = DoneRequest.newBuilder()
                    .setOwner(owner)
                    .setHandleId(response.getHandle().getId())
                    .build();
            accord.done(done, then((DoneResponse any) -> next(owner, number)));
        }));
    }

    private void next(String owner, long number) {
        long now = System.nanoTime();
        if (now - untilNanos >= 0) {
            running.countDown();
            return;
        }
        if (now - fromNanos >= 0) {
            counted.incrementAndGet();
        }
        acquire(owner, number + 1);
    }

    private <T> StreamObserver<T> then(Consumer<T> next) {
        return new StreamObserver<>() {
            @Override
            public void onNext(T response) {
                try {
                    next.accept(response);
                } catch (RuntimeException e) {
                    onError(e);
                }
            }

            @Override
            public void onError(Throwable error) {
                firstFailure.compareAndSet(null, error);
                running.countDown();
            }

            @Override
            public void onCompleted() {}
        };
    }
}
