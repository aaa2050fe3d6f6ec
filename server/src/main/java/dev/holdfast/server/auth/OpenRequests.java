package dev.holdfast.server.auth;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.internal.Futures;
import dev.holdfast.server.Revocation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The requests that are under way, so that those of a caller whose token was removed can be ended. Thread-safe. */
final class OpenRequests {
    private final Map<ServiceRequestContext, Caller> callers = new ConcurrentHashMap<>();

    void add(ServiceRequestContext ctx, Caller caller) {
        callers.put(ctx, caller);
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> callers.remove(ctx));
    }

    /** Ends what callers have open that are not admitted any more: streams, watches, acquires that wait. */
    void endRevoked() {
        callers.forEach((ctx, caller) -> {
            if (caller.permissions().isEmpty()) {
                Revocation.end(ctx, PermissionGuard.revoked());
            }
        });
    }
}
