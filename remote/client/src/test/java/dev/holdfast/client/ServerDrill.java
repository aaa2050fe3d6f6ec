package dev.holdfast.client;

import dev.holdfast.server.HoldfastServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A server on a memory store, and its address. {@link CompatibilityTest} also compiles this file against the old code.
 */
public final class ServerDrill implements Supplier<String>, AutoCloseable {
    private final HoldfastServer server = HoldfastServer.builder()
            .store("memory:")
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .drain(Duration.ofMillis(100))
            .build();

    @Override
    public String get() {
        server.start();
        return "127.0.0.1:" + server.address().getPort();
    }

    @Override
    public void close() {
        server.close();
    }
}
