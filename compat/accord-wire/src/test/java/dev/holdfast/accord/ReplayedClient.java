package dev.holdfast.accord;

import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.AcquireResponse;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client that sends the requests of accord's Go client in the same order: a list when it starts, renewals at 0.3 of
 * the ttl, and so on.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Renewals go on until the loop is shut down.
final class ReplayedClient implements AutoCloseable {
    final Set<String> doneBefore = new HashSet<>();
    final AtomicInteger renewals = new AtomicInteger();
    private final V1Grpc.V1BlockingStub rpc;
    private final String owner;
    private final String namespace;
    private final int ttlSeconds;
    private final Map<String, String> metadata = new HashMap<>();
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
    private Handle handle = Handle.getDefaultInstance();

    ReplayedClient(V1Grpc.V1BlockingStub rpc, String owner, String namespace, int ttlSeconds) {
        this.rpc = rpc;
        this.owner = owner;
        this.namespace = namespace;
        this.ttlSeconds = ttlSeconds;
        rpc.list(ListRequest.newBuilder()
                        .setFilter(ListRequest.Filter.newBuilder()
                                .setPrefix(namespace)
                                .setStatus(ListRequest.Filter.Status.DONE))
                        .build())
                .forEachRemaining(done -> {
                    if (done.getNamespace().equals(namespace)) {
                        doneBefore.add(done.getName());
                    }
                });
    }

    Status acquire(String name) {
        AcquireResponse response = rpc.acquire(AcquireRequest.newBuilder()
                .setOwner(owner)
                .setName(name)
                .setNamespace(namespace)
                .setTtl(ttlSeconds)
                .build());
        if (response.getStatus() == Status.OK) {
            handle = response.getHandle();
            metadata.putAll(handle.getMetadataMap());
            long everyMillis = ttlSeconds * 300L;
            loop.scheduleAtFixedRate(() -> renew(ttlSeconds), everyMillis, everyMillis, TimeUnit.MILLISECONDS);
        }
        return response.getStatus();
    }

    synchronized void setMeta(String name, String value) {
        metadata.put(name, value);
    }

    private synchronized void renew(int ttl) {
        rpc.renew(RenewRequest.newBuilder()
                .setOwner(owner)
                .setHandleId(handle.getId())
                .setTtl(ttl)
                .putAllMetadata(metadata)
                .build());
        renewals.incrementAndGet();
    }

    synchronized void done() {
        loop.shutdownNow();
        rpc.done(DoneRequest.newBuilder()
                .setOwner(owner)
                .setHandleId(handle.getId())
                .putAllMetadata(metadata)
                .build());
    }

    void discard() {
        loop.shutdownNow();
        renew(0);
    }

    @Override
    public void close() {
        loop.shutdownNow();
    }
}
