package dev.holdfast.server.security;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.CallerRevocation;
import dev.holdfast.support.Futures;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The running requests by caller. They can be ended when the token of their caller is removed. Thread-safe. */
final class OpenRequests {
    private final Map<ServiceRequestContext, AuthenticatedCaller> callers = new ConcurrentHashMap<>();

    void add(ServiceRequestContext ctx, AuthenticatedCaller authenticatedCaller) {
        callers.put(ctx, authenticatedCaller);
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> callers.remove(ctx));
    }

    /** Ends streams, watches and waiting acquires of callers that are no longer admitted. */
    void endRevoked() {
        callers.forEach((ctx, authenticatedCaller) -> {
            if (authenticatedCaller.permissions().isEmpty()) {
                CallerRevocation.end(ctx, PermissionGuard.revoked());
            }
        });
    }
}
