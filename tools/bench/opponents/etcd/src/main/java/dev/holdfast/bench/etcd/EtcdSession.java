package dev.holdfast.bench.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.bench.contender.ContenderSettings;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.ExecutionException;

/** A connection to etcd, and leases that jetcd keeps alive. */
final class EtcdSession implements AutoCloseable {
    private final Client client;
    private final long termSeconds;

    EtcdSession(ContenderSettings settings) {
        client = Client.builder().endpoints(settings.url()).build();
        termSeconds = Math.max(1, settings.term().toSeconds());
    }

    Client client() {
        return client;
    }

    /** A new lease that lives as long as this process. */
    long newLease() throws ExecutionException, InterruptedException {
        long id = client.getLeaseClient().grant(termSeconds).get().getID();
        client.getLeaseClient().keepAlive(id, new IgnoredAnswers());
        return id;
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    @Override
    public void close() {
        client.close();
    }

    private static final class IgnoredAnswers implements StreamObserver<LeaseKeepAliveResponse> {
        @Override
        public void onNext(LeaseKeepAliveResponse answer) {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}
    }
}
