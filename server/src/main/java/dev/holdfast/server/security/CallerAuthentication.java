package dev.holdfast.server.security;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.server.ServerExtension;
import io.grpc.Status;
import java.util.Locale;
import java.util.function.Predicate;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A decorator that authenticates callers by a bearer token or by the certificate of the connection. It rejects requests
 * from unknown callers. {@link PermissionGuard} checks their permissions later.
 */
public final class CallerAuthentication implements ServerExtension {
    private static final String SCHEME = "bearer ";

    private final CallerTable callerTable;
    private final Predicate<String> openPaths;
    private final OpenRequests requests = new OpenRequests();

    /** @param openPaths the paths that need no authentication, such as health checks */
    public CallerAuthentication(CallerTable callerTable, Predicate<String> openPaths) {
        this.callerTable = callerTable;
        this.openPaths = openPaths;
        callerTable.onChange(requests::endRevoked);
    }

    @Override
    public void extend(ServerBuilder server, ServerComponents parts) {
        server.decorator(this::serve);
    }

    private HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request) throws Exception {
        if (!openPaths.test(ctx.path())) {
            String secret = bearer(request);
            SSLSession session = ctx.sslSession();
            AuthenticatedCaller authenticatedCaller = new AuthenticatedCaller(
                    callerTable, all -> secret != null ? all.bySecret(secret) : all.byCertificate(session));
            // Before the permissions are read: a change of the tokens is then noticed either there or here.
            requests.add(ctx, authenticatedCaller);
            if (authenticatedCaller.permissions().isEmpty()) {
                return RefusedResponses.of(
                        request,
                        HttpStatus.UNAUTHORIZED,
                        Status.Code.UNAUTHENTICATED,
                        secret != null ? "unknown token" : callerTable.expected(),
                        null);
            }
            authenticatedCaller.attachTo(ctx);
        }
        return service.serve(ctx, request);
    }

    private static @Nullable String bearer(HttpRequest request) {
        String header = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return null;
        }
        return header.substring(SCHEME.length()).strip();
    }
}
