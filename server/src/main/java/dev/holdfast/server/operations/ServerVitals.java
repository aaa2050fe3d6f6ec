package dev.holdfast.server.operations;

import java.util.Optional;

/** The state of a server in a few numbers, for people. Thread-safe. */
public interface ServerVitals {
    /** Nothing is known, because the server has no perimeter. */
    ServerVitals UNKNOWN = new ServerVitals() {};

    /** Why the server is not ready for requests; empty if it is ready. */
    default Optional<String> notReady() {
        return Optional.empty();
    }

    /** The open connections. */
    default int connections() {
        return 0;
    }

    /** The open sessions of clients that hold leases through an anchor. */
    default int sessions() {
        return 0;
    }
}
