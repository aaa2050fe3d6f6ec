package dev.holdfast.client;

import dev.holdfast.LeasesOptions;
import dev.holdfast.server.HoldfastServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A real server in this process, on the loopback. */
final class TestServer implements AutoCloseable {
    private final HoldfastServer server;

    private TestServer(HoldfastServer server) {
        this.server = server;
    }

    static TestServer on(String store) {
        return at(store, 0);
    }

    /** @param port 0 for any that is free */
    static TestServer at(String store, int port) {
        HoldfastServer server = HoldfastServer.builder()
                .store(store)
                .options(LeasesOptions.builder().holder("server").build())
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
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
