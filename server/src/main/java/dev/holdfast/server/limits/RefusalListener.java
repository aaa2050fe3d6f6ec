package dev.holdfast.server.limits;

/** A listener that is called whenever a limit was exceeded, for metrics. */
@FunctionalInterface
public interface RefusalListener {
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
}
