package dev.holdfast.server.security;

import java.net.InetSocketAddress;

/**
 * The rule for listen addresses: without authentication a server listens on a loopback address only, unless it is
 * explicitly insecure.
 */
public final class ListenPolicy {
    private ListenPolicy() {}

    /** @throws IllegalArgumentException if other hosts could reach a server without authentication */
    public static void check(InetSocketAddress listen, boolean authenticated, boolean insecure) {
        boolean own = listen.getAddress() != null && listen.getAddress().isLoopbackAddress();
        if (!own && !authenticated && !insecure) {
            throw new IllegalArgumentException("listen: " + listen.getHostString() + ":" + listen.getPort()
                    + " (expected: a loopback address such as 127.0.0.1, or --tokens FILE, or --tls-client-ca FILE; or"
                    + " --insecure, which accepts requests without authentication)");
        }
    }
}
