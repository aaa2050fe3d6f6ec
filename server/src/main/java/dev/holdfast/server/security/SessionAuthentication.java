package dev.holdfast.server.security;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.security.SessionTable.Session;
import dev.holdfast.server.wire.RefusedResponses;
import dev.holdfast.server.wire.RequestPaths;
import io.grpc.Status;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The authentication of requests from dashboards: by the id of a session, by the certificate of the connection, and to log in by a
 * token. Failed log-ins are throttled. A request to the log-in itself needs no caller.
 */
final class SessionAuthentication {
    private static final String SCHEME = "session ";

    private final CallerTable callerTable;
    private final SessionTable sessions;
    private final LoginThrottle throttle;

    SessionAuthentication(CallerTable callerTable, SessionTable sessions) {
        this.callerTable = callerTable;
        this.sessions = sessions;
        this.throttle = sessions.throttle;
    }

    /**
     * The caller of a request, or the response that rejects it. Both are null for a request without a caller, which only the log-in
     * accepts.
     */
    record Verdict(
            @Nullable AuthenticatedCaller caller, @Nullable HttpResponse rejection) {
        static final Verdict ANONYMOUS = new Verdict(null, null);
    }

    Verdict decide(ServiceRequestContext ctx, HttpRequest request) {
        boolean isLogIn = ctx.path().equals(RequestPaths.DASHBOARD_SESSION);
        Optional<String> id = sessionId(request);
        if (id.isPresent()) {
            Session session = sessions.find(id.get());
            if (session != null) {
                return new Verdict(session.caller(), null);
            }
            return isLogIn ? Verdict.ANONYMOUS : rejected(request, "the session has ended; log in again");
        }
        String secret = CallerAuthentication.bearer(request);
        if (secret != null) {
            return isLogIn && request.method() == HttpMethod.POST
                    ? logIn(ctx, request, TokenSecret.hashText(secret))
                    : rejected(request, "a session is required in the header authorization: Session ID");
        }
        AuthenticatedCaller byCertificate =
                new AuthenticatedCaller(callerTable, all -> all.byCertificate(ctx.sslSession()));
        if (byCertificate.permissions().isPresent()) {
            return new Verdict(byCertificate, null);
        }
        if (!isLogIn) {
            return rejected(request, "a session is required in the header authorization: Session ID");
        }
        return request.method() == HttpMethod.POST ? throttled(ctx, request) : Verdict.ANONYMOUS;
    }

    private Verdict logIn(ServiceRequestContext ctx, HttpRequest request, String hashText) {
        Verdict pause = throttled(ctx, request);
        if (pause.rejection() != null) {
            return pause;
        }
        AuthenticatedCaller caller = new AuthenticatedCaller(callerTable, all -> all.byHash(hashText));
        if (caller.permissions().isEmpty()) {
            throttle.failed(ClientName.ofAddress(ctx.clientAddress()));
            return rejected(request, "unknown token");
        }
        throttle.succeeded(ClientName.ofAddress(ctx.clientAddress()));
        return new Verdict(caller, null);
    }

    private Verdict throttled(ServiceRequestContext ctx, HttpRequest request) {
        Duration pause = throttle.pause(ClientName.ofAddress(ctx.clientAddress()));
        return pause.isZero()
                ? Verdict.ANONYMOUS
                : new Verdict(
                        null,
                        RefusedResponses.exhausted(
                                request,
                                "too many failed log-ins from this address; retry later",
                                pause.plusSeconds(1)));
    }

    private static Verdict rejected(HttpRequest request, String message) {
        return new Verdict(null, RefusedResponses.of(request, Status.Code.UNAUTHENTICATED, message));
    }

    /** The id in the header of a request. */
    static Optional<String> sessionId(HttpRequest request) {
        String header = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        return header.toLowerCase(Locale.ROOT).startsWith(SCHEME)
                ? Optional.of(header.substring(SCHEME.length()).strip())
                : Optional.empty();
    }
}
