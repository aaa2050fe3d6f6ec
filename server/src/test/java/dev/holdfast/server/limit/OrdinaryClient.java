package dev.holdfast.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.server.EdgeServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A client that acquires and releases a key, one request at a time, while others attack the server. */
final class OrdinaryClient implements AutoCloseable {
    private static final Duration PROMPT = Duration.ofMillis(100);

    private final ClientFactory connections = ClientFactory.builder().build();
    private final LeasesGrpc.LeasesBlockingStub leases;
    private final String key;
    private final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final Thread thread = new Thread(this::run, "ordinary-client");
    private volatile boolean stopped;

    OrdinaryClient(EdgeServer server, String secret, String key) {
        this.key = key;
        leases = GrpcClients.builder("gproto+" + server.url() + "/")
                .factory(connections)
                .addHeader("authorization", "Bearer " + secret)
                .build(LeasesGrpc.LeasesBlockingStub.class);
        ask(); // Connects, and warms up.
        thread.start();
    }

    private void ask() {
        String token = leases.acquire(AcquireRequest.newBuilder()
                        .setName(key)
                        .setHolder("ann")
                        .build())
                .getGranted()
                .getToken();
        leases.release(ReleaseRequest.newBuilder().setName(key).setToken(token).build());
    }

    private void run() {
        while (!stopped && failures.size() < 10) {
            long start = System.nanoTime();
            try {
                ask();
                nanos.add(System.nanoTime() - start);
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
    }

    /** No request failed, and the typical one (two round trips) was answered promptly. Rare ones may be late: machines are. */
    void wasServedPromptly() throws InterruptedException {
        stopped = true;
        thread.join(60_000);
        assertThat(failures).isEmpty();
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        assertThat(sorted).hasSizeGreaterThan(10);
        assertThat(Duration.ofNanos(sorted.get(sorted.size() / 2))).isLessThan(PROMPT);
    }

    @Override
    public void close() {
        stopped = true;
        connections.close();
    }
}
