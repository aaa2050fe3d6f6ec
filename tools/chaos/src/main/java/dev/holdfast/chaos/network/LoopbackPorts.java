package dev.holdfast.chaos.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;

/**
 * Free ports below the range from which Linux takes the ports of outgoing connections. A server that is killed leaves its
 * port unused for a while. No outgoing connection may take it meanwhile, and no client may connect to itself through it.
 */
public final class LoopbackPorts {
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;
    private static final int ATTEMPTS = 1_000;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Set<Integer> GIVEN = new HashSet<>();

    private LoopbackPorts() {}

    /** Returns a port that no server uses and that this method has not returned before. */
    public static synchronized int next() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = FIRST + RANDOM.nextInt(COUNT);
            if (!GIVEN.contains(port) && isFree(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new IOException("no free port among " + ATTEMPTS + " from " + FIRST + " to " + (FIRST + COUNT - 1));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
