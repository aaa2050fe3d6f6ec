package dev.holdfast.server.security;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.wire.LongRequests;
import dev.holdfast.server.wire.RefusedResponses;
import dev.holdfast.server.wire.RequestPaths;
import dev.holdfast.support.Futures;
import io.grpc.Status;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A decorator that authenticates callers by a bearer token or by the certificate of the connection. It rejects requests
 * from unknown callers. {@link AccessGuard} checks their permissions later. When callers are no longer admitted, it ends
 * their streams, watches and waiting acquires. Health checks need no authentication, and neither do the static files of the
 * dashboard.
 */
public final class CallerAuthentication {
    private static final String SCHEME = "bearer ";

    private final CallerTable callerTable;
    private final SessionAuthentication dashboards;
    private final Map<ServiceRequestContext, AuthenticatedCaller> running = new ConcurrentHashMap<>();

    public CallerAuthentication(CallerTable callerTable) {
        this(callerTable, new SessionTable(callerTable));
    }

    /** @param sessions the sessions of dashboards; requests to other paths cannot use them */
    public CallerAuthentication(CallerTable callerTable, SessionTable sessions) {
        this.callerTable = callerTable;
        this.dashboards = new SessionAuthentication(callerTable, sessions);
        callerTable.onChange(this::endRevoked);
        sessions.onEnd(this::endRevoked);
    }

    public void extend(ServerBuilder server) {
        server.decorator(this::serve);
    }

    private HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request) throws Exception {
        if (RequestPaths.isDashboardApi(ctx.path())) {
            return serveDashboard(service, ctx, request);
        }
        if (!RequestPaths.isHealth(ctx.path()) && !RequestPaths.isDashboardPage(ctx.path())) {
            String secret = bearer(request);
            String hash = secret == null ? null : TokenSecret.hashText(secret);
            SSLSession session = ctx.sslSession();
            AuthenticatedCaller caller = new AuthenticatedCaller(
                    callerTable, all -> hash != null ? all.byHash(hash) : all.byCertificate(session));
            register(ctx, caller);
            if (caller.permissions().isEmpty()) {
                return RefusedResponses.of(
                        request,
                        Status.Code.UNAUTHENTICATED,
                        secret != null ? "unknown token" : callerTable.expected());
            }
            caller.attachTo(ctx);
        }
        return service.serve(ctx, request);
    }

    private HttpResponse serveDashboard(HttpService service, ServiceRequestContext ctx, HttpRequest request)
            throws Exception {
        SessionAuthentication.Verdict verdict = dashboards.decide(ctx, request);
        if (verdict.rejection() != null) {
            return verdict.rejection();
        }
        AuthenticatedCaller caller = verdict.caller();
        if (caller != null) {
            register(ctx, caller);
            if (caller.permissions().isEmpty()) {
                return RefusedResponses.of(request, Status.Code.UNAUTHENTICATED, "the session has ended; log in again");
            }
            caller.attachTo(ctx);
        }
        return service.serve(ctx, request);
    }

    /** Called before the permissions are read: a change of the tokens is then noticed either there or here. */
    private void register(ServiceRequestContext ctx, AuthenticatedCaller caller) {
        running.put(ctx, caller);
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> running.remove(ctx));
    }

    private void endRevoked() {
        running.forEach((ctx, caller) -> {
            if (caller.permissions().isEmpty()) {
                LongRequests.revoke(ctx, AccessGuard.revoked());
            }
        });
    }

    static @Nullable String bearer(HttpRequest request) {
        String header = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return null;
        }
        return header.substring(SCHEME.length()).strip();
    }
}
