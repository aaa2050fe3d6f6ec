package dev.holdfast.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A client that acquires and releases a key, one request at a time, while others attack the server. */
final class OrdinaryClient implements AutoCloseable {
    private static final Duration PROMPT = Duration.ofMillis(100);

    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final int SAMPLES = 15;

    private final ClientFactory connections = ClientFactory.builder().build();
    private final LeasesGrpc.LeasesBlockingStub leases;
    private final String key;
    private final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final Thread thread = new Thread(this::run, "ordinary-client");
    private final Duration calm;
    private volatile boolean stopped;

    OrdinaryClient(EdgeServer server, String secret, String key) {
        this.key = key;
        leases = GrpcClients.builder("gproto+" + server.url() + "/")
                .factory(connections)
                .addHeader("authorization", "Bearer " + secret)
                .build(LeasesGrpc.LeasesBlockingStub.class);
        ask(); // Connects, and warms up.
        nanos.clear();
        for (int i = 0; i < SAMPLES; i++) {
            ask();
        }
        calm = median();
        nanos.clear();
        thread.start();
    }

    private void ask() {
        long start = System.nanoTime();
        String token = leases.acquire(AcquireRequest.newBuilder()
                        .setName(key)
                        .setHolder("ann")
                        .build())
                .getGranted()
                .getToken();
        nanos.add(System.nanoTime() - start);
        leases.release(ReleaseRequest.newBuilder().setName(key).setToken(token).build());
    }

    private void run() {
        while (!stopped && failures.size() < 10) {
            try {
                ask();
            } catch (RuntimeException e) {
                failures.add(e);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private Duration median() {
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        return Duration.ofNanos(sorted.get(sorted.size() / 2));
    }

    /**
     * No request failed, and the typical acquire was answered within 100 ms. A machine that is so busy that this takes long
     * without any attack gets five times as long as it took then.
     */
    void wasServedPromptly() throws InterruptedException {
        Eventually.until(() -> nanos.size() >= SAMPLES || failures.size() >= 10);
        stopped = true;
        thread.join(60_000);
        Duration slow = calm.multipliedBy(5);
        assertThat(failures).isEmpty();
        assertThat(median()).isLessThan(slow.compareTo(PROMPT) > 0 ? slow : PROMPT);
    }

    @Override
    public void close() {
        stopped = true;
        connections.close();
    }
}
