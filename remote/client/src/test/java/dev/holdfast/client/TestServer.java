package dev.holdfast.client;

import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.server.HoldfastServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A real server in this process, on the loopback interface. */
final class TestServer implements AutoCloseable {
    private final HoldfastServer server;

    private TestServer(HoldfastServer server) {
        this.server = server;
    }

    static TestServer on(String store) {
        return at(store, 0);
    }

    /** Serves leases that stay open when the server stops. */
    static TestServer of(Leases leases) {
        return started(HoldfastServer.builder().leases(leases), 0);
    }

    /** @param port 0 for any free port */
    static TestServer at(String store, int port) {
        LeasesOptions options = LeasesOptions.builder().holder("server").build();
        return started(HoldfastServer.builder().store(store).options(options), port);
    }

    private static TestServer started(HoldfastServer.Builder builder, int port) {
        HoldfastServer server = builder.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .drain(Duration.ofMillis(500))
                .build();
        server.start();
        return new TestServer(server);
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
