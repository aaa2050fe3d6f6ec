package dev.holdfast.server.limits;

import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;

/**
 * The limits of a server. Names, attributes and similar values have the limits of {@link
 * dev.holdfast.store.SizeLimits}, which are the same for every store.
 *
 * @param connections the maximum number of connections of all clients together; each address has a fair share
 * @param requests the maximum number of concurrent requests of all clients together, including waiting ones; each
 *     client has a fair share
 * @param bodyBytes the maximum number of request bytes in memory, of all clients together; each client has a fair share
 * @param bodyBytesPerConnection the maximum number of request bytes in memory for one connection
 * @param healthCalls the maximum number of concurrent health calls, including watches, from all addresses together
 * @param healthCallsPerAddress the maximum number of concurrent health calls from one address
 * @param waitersPerClient the maximum number of waiting acquires of one client
 * @param waitersPerKey the maximum number of acquires waiting for one key
 * @param watchesPerClient the maximum number of watches of one client
 * @param sessionsPerClient the maximum number of sessions of one client
 * @param patience how long a client may take to send a request or to read a response
 */
public record ServerLimits(
        int connections,
        int requests,
        int bodyBytes,
        int bodyBytesPerConnection,
        int healthCalls,
        int healthCallsPerAddress,
        int waitersPerClient,
        int waitersPerKey,
        int watchesPerClient,
        int sessionsPerClient,
        Duration patience) {
    /** The maximum size of a request: it has room for 64 KiB of attributes and everything else. */
    public static final int MESSAGE_BYTES = 1 << 20;

    /** The maximum size of the headers of a request. */
    static final int HEADER_BYTES = 16 << 10;

    /** The maximum number of concurrent requests on one connection. */
    static final int STREAMS = 10_000;

    /** The time after which a connection without requests is closed. */
    static final Duration IDLE = Duration.ofMinutes(5);

    /**
     * The default limits. Connections, requests and
     * waiters are numbers that a heap of 1 GiB holds with ease. One client gets about a tenth of that, so that it
     * cannot starve the others. Request bytes are an eighth of a small heap, and one connection can have a few of the
     * largest requests. Health calls are a few for each probe and load balancer.
     */
    public static final ServerLimits DEFAULT = new ServerLimits(
            20_000, 50_000, 64 << 20, 8 << 20, 1_000, 100, 5_000, 10_000, 1_000, 1_000, Duration.ofSeconds(30));

    public ServerLimits {
        atLeast("connections", connections, 1);
        atLeast("requests", requests, 1);
        atLeast("bodyBytes", bodyBytes, 1 << 20);
        atLeast("bodyBytesPerConnection", bodyBytesPerConnection, 1 << 20);
        atLeast("healthCalls", healthCalls, 1);
        atLeast("healthCallsPerAddress", healthCallsPerAddress, 1);
        atLeast("waitersPerClient", waitersPerClient, 1);
        atLeast("waitersPerKey", waitersPerKey, 1);
        atLeast("watchesPerClient", watchesPerClient, 1);
        atLeast("sessionsPerClient", sessionsPerClient, 1);
        ArgumentCheck.positive("patience", patience, Duration.ofHours(1));
    }

    private static void atLeast(String field, int value, int least) {
        if (value < least) {
            throw ArgumentCheck.bad(field, value, ">= " + least);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Builder that starts from the {@linkplain #DEFAULT default} limits. */
    public static final class Builder {
        private int connections = DEFAULT.connections;
        private int requests = DEFAULT.requests;
        private int bodyBytes = DEFAULT.bodyBytes;
        private int bodyBytesPerConnection = DEFAULT.bodyBytesPerConnection;
        private int healthCalls = DEFAULT.healthCalls;
        private int healthCallsPerAddress = DEFAULT.healthCallsPerAddress;
        private int waitersPerClient = DEFAULT.waitersPerClient;
        private int waitersPerKey = DEFAULT.waitersPerKey;
        private int watchesPerClient = DEFAULT.watchesPerClient;
        private int sessionsPerClient = DEFAULT.sessionsPerClient;
        private Duration patience = DEFAULT.patience;

        private Builder() {}

        public Builder connections(int most) {
            connections = most;
            return this;
        }

        public Builder requests(int most) {
            requests = most;
            return this;
        }

        public Builder bodyBytes(int perConnection, int most) {
            bodyBytesPerConnection = perConnection;
            bodyBytes = most;
            return this;
        }

        public Builder healthCalls(int perAddress, int most) {
            healthCallsPerAddress = perAddress;
            healthCalls = most;
            return this;
        }

        public Builder waiters(int perClient, int perKey) {
            waitersPerClient = perClient;
            waitersPerKey = perKey;
            return this;
        }

        public Builder watches(int perClient) {
            watchesPerClient = perClient;
            return this;
        }

        public Builder sessions(int perClient) {
            sessionsPerClient = perClient;
            return this;
        }

        public Builder patience(Duration newPatience) {
            patience = newPatience;
            return this;
        }

        public ServerLimits build() {
            return new ServerLimits(
                    connections,
                    requests,
                    bodyBytes,
                    bodyBytesPerConnection,
                    healthCalls,
                    healthCallsPerAddress,
                    waitersPerClient,
                    waitersPerKey,
                    watchesPerClient,
                    sessionsPerClient,
                    patience);
        }
    }
}
