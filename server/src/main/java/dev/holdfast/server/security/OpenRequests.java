package dev.holdfast.server.security;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.internal.Futures;
import dev.holdfast.server.CallerRevocation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The requests that are under way, so that those of a caller whose token was removed can be ended. Thread-safe. */
final class OpenRequests {
    private final Map<ServiceRequestContext, AuthenticatedCaller> callers = new ConcurrentHashMap<>();

    void add(ServiceRequestContext ctx, AuthenticatedCaller authenticatedCaller) {
        callers.put(ctx, authenticatedCaller);
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> callers.remove(ctx));
    }

    /** Ends what callers have open that are not admitted any more: streams, watches, acquires that wait. */
    void endRevoked() {
        callers.forEach((ctx, authenticatedCaller) -> {
            if (authenticatedCaller.permissions().isEmpty()) {
                CallerRevocation.end(ctx, PermissionGuard.revoked());
            }
        });
    }
}
