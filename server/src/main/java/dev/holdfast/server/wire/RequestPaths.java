package dev.holdfast.server.wire;

import java.util.Set;

/** The paths that limits, authentication and metrics treat differently from others. */
public final class RequestPaths {
    /** The prefix of all paths of HTTP/JSON. */
    public static final String HTTP = "/v1/";

    /** The prefix of all paths of the gRPC service. */
    public static final String GRPC = "/holdfast.v1.Leases/";

    public static final String HEALTH_LIVE = "/health/live";
    public static final String HEALTH_READY = "/health/ready";
    public static final String METRICS = "/metrics";

    /** The prefix of all paths of the dashboard. */
    public static final String DASHBOARD = "/ui/";

    /** The prefix of the paths from which the dashboard gets its data. */
    public static final String DASHBOARD_API = DASHBOARD + "api/";

    public static final String DASHBOARD_SESSION = DASHBOARD_API + "session";
    public static final String DASHBOARD_LIVE = DASHBOARD_API + "live";

    private static final String GRPC_HEALTH = "/grpc.health.v1.Health/";
    private static final String SESSION = GRPC + "Session";
    private static final String CALLS = GRPC + "Calls";
    private static final Set<String> STREAMS =
            Set.of(SESSION, CALLS, GRPC + "Watch", GRPC_HEALTH + "Watch", HTTP + "watch", DASHBOARD_LIVE);

    private RequestPaths() {}

    /**
     * Whether a path belongs to the health services. They need no token: probes have none, and the responses say
     * nothing about leases.
     */
    public static boolean isHealth(String path) {
        return path.equals(HEALTH_LIVE) || path.equals(HEALTH_READY) || path.startsWith(GRPC_HEALTH);
    }

    /** Whether a path belongs to the static files of the dashboard, which say nothing about leases and need no token. */
    public static boolean isDashboardPage(String path) {
        return path.equals("/") || path.equals("/ui") || (path.startsWith(DASHBOARD) && !isDashboardApi(path));
    }

    public static boolean isDashboardApi(String path) {
        return path.startsWith(DASHBOARD_API);
    }

    /** Whether a path is always served, and immediately: a busy server must not be mistaken for a dead one. */
    public static boolean isAlwaysServed(String path) {
        return path.equals(HEALTH_LIVE) || path.equals(HEALTH_READY) || path.equals(METRICS);
    }

    /** Whether the body of a request has no end by design: it is a stream of messages. */
    public static boolean isEndless(String path) {
        return path.equals(SESSION) || path.equals(CALLS);
    }

    /** Whether a request lasts as long as its client likes. */
    public static boolean isStream(String path) {
        return STREAMS.contains(path);
    }

    /** Whether a stream ends at once when the token of its caller is removed; others end by themselves. */
    static boolean endsWhenRevoked(String path) {
        return path.equals(SESSION) || path.equals(GRPC + "List");
    }
}
