package dev.holdfast.client;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.model.Key;
import dev.holdfast.server.Admission;
import dev.holdfast.server.HoldfastServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A real server in this process, on the loopback. */
final class TestServer implements AutoCloseable {
    private final HoldfastServer server;

    private final Waiting waiting;

    private TestServer(HoldfastServer server, Waiting waiting) {
        this.server = server;
        this.waiting = waiting;
    }

    static TestServer on(String store) {
        return at(store, 0);
    }

    /** Serves leases that stay open when the server ends. */
    static TestServer of(Leases leases) {
        return started(HoldfastServer.builder().leases(leases), 0);
    }

    /** @param port 0 for any that is free */
    static TestServer at(String store, int port) {
        LeasesOptions options = LeasesOptions.builder().holder("server").build();
        return started(HoldfastServer.builder().store(store).options(options), port);
    }

    private static TestServer started(HoldfastServer.Builder builder, int port) {
        Waiting waiting = new Waiting();
        HoldfastServer server = builder.admission(waiting)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .drain(Duration.ofMillis(500))
                .build();
        server.start();
        return new TestServer(server, waiting);
    }

    /** How many wait here for a holder to give way. */
    int waiting() {
        return waiting.count.get();
    }

    /** Lets all in, and counts those who wait. */
    private static final class Waiting implements Admission {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public Place wait(ServiceRequestContext ctx, Key key) {
            count.incrementAndGet();
            return count::decrementAndGet;
        }

        @Override
        public Place watch(ServiceRequestContext ctx, String prefix) {
            return Admission.OPEN.watch(ctx, prefix);
        }

        @Override
        public Place session(ServiceRequestContext ctx, Key anchor) {
            return Admission.OPEN.session(ctx, anchor);
        }
    }

    int port() {
        return server.address().getPort();
    }

    String host() {
        return "127.0.0.1:" + port();
    }

    String url() {
        return "http://" + host();
    }

    @Override
    public void close() {
        server.close();
    }
}
