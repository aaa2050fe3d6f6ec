package dev.holdfast.server.security;

import java.net.InetSocketAddress;

/** Where a server may listen: without authentication only to its own host, unless somebody says that this is meant. */
public final class ListenPolicy {
    private ListenPolicy() {}

    /** @throws IllegalArgumentException if others could reach a server that lets everybody in */
    public static void check(InetSocketAddress listen, boolean authenticated, boolean insecure) {
        boolean own = listen.getAddress() != null && listen.getAddress().isLoopbackAddress();
        if (!own && !authenticated && !insecure) {
            throw new IllegalArgumentException("listen: " + listen.getHostString() + ":" + listen.getPort()
                    + " (expected: a loopback address such as 127.0.0.1, or --tokens FILE, or --tls-client-ca FILE; or"
                    + " --insecure, which lets in whoever can reach it)");
        }
    }
}
