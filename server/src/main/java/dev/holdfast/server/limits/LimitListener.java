package dev.holdfast.server.limits;

import io.grpc.Status;

/** A listener that is called whenever a limit was exceeded, and for each limited request of a call stream. */
@FunctionalInterface
public interface LimitListener {
    /** The counted limits. Size limits are not among them: they show in the status of requests. */
    enum Limit {
        CONNECTIONS,
        REQUESTS,
        BODY_BYTES,
        HEALTH_CALLS,
        WAITERS_PER_CLIENT,
        WAITERS_PER_KEY,
        WATCHES_PER_CLIENT,
        SESSIONS_PER_CLIENT,
        SLOW_SENDER,
        SLOW_READER
    }

    void on(Limit limit);

    /** Called when a request that arrived on a call stream has ended. */
    default void onStreamed(String path, Status.Code status, long nanos) {}
}
