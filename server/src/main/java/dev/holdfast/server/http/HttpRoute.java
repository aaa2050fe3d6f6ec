package dev.holdfast.server.http;

import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.Set;

/** The routes of HTTP/JSON by name, for metrics: there are as many paths as keys, but few routes. */
public final class HttpRoute {
    private static final String ROOT = "/v1/";
    private static final String LEASES = "leases";
    private static final String NAMED = ROOT + LEASES + "/{name}";
    private static final Set<String> SINGLE = Set.of(LEASES, "watch", "cleanup", "openapi.json");
    private static final Set<String> ACTIONS =
            Set.of("acquire", "renew", "release", "done", "update", "reopen", "delete", "evict");

    private HttpRoute() {}

    /** A route such as {@code /v1/leases/{name}/acquire}; {@code /v1/*} for a path without a route. */
    public static String of(ServiceRequestContext ctx) {
        return of(ctx.routingContext().requestTarget().maybePathWithMatrixVariables());
    }

    static String of(String path) {
        String[] parts = path.startsWith(ROOT) ? path.substring(ROOT.length()).split("/", -1) : new String[0];
        if (parts.length == 1 && SINGLE.contains(parts[0])) {
            return ROOT + parts[0];
        } else if (parts.length == 2 && parts[0].equals(LEASES)) {
            return NAMED;
        } else if (parts.length == 3 && parts[0].equals(LEASES) && ACTIONS.contains(parts[2])) {
            return NAMED + "/" + parts[2];
        }
        return ROOT + "*";
    }

    public static boolean isOne(String path) {
        return path.startsWith(ROOT);
    }
}
