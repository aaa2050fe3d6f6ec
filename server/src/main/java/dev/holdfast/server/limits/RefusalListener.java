package dev.holdfast.server.limits;

import java.util.Locale;

/** Hears of every time that a limit was met, for metrics. */
@FunctionalInterface
public interface RefusalListener {
    RefusalListener UNHEARD = limit -> {};

    /** The limits that are met one by one; how large things may be shows in the status of requests. */
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
        SLOW_READER;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    void on(Limit limit);
}
