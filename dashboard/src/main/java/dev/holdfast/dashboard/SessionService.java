package dev.holdfast.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.http.JsonResponses;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.server.security.SessionTable;
import dev.holdfast.server.security.SessionTable.OpenedSession;
import dev.holdfast.server.security.SessionTable.Session;
import dev.holdfast.support.DurationText;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The log-in. A token, which the perimeter has checked, or a code is exchanged for a session. The browser keeps only the id of the
 * session.
 */
final class SessionService implements HttpService {
    private final DashboardOptions options;
    private final ServedLeases served;

    SessionService(DashboardOptions options, ServedLeases served) {
        this.options = options;
        this.served = served;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        return switch (request.method()) {
            case GET -> JsonResponses.ok(describe(ctx));
            case POST -> logIn(ctx, request);
            case DELETE -> logOut(ctx);
            default -> JsonResponses.notAllowed("GET, POST, DELETE");
        };
    }

    private HttpResponse logIn(ServiceRequestContext ctx, HttpRequest request) {
        SessionTable sessions = options.sessions();
        if (sessions == null) {
            return JsonResponses.ok(describe(ctx));
        }
        if (request.headers().contains(HttpHeaderNames.AUTHORIZATION)) {
            return JsonResponses.ok(opened(ctx, sessions.open(ctx)));
        }
        return RequestJson.read(ctx, request, body -> byCode(ctx, sessions, body));
    }

    private HttpResponse byCode(ServiceRequestContext ctx, SessionTable sessions, JsonNode body) {
        return sessions.openByCode(ctx, body.path("code").asText(""))
                .map(it -> JsonResponses.ok(opened(ctx, it)))
                .orElseGet(() -> JsonResponses.failed(Status.UNAUTHENTICATED
                        .withDescription(
                                "the code is not valid: it works once, and for two minutes; press Enter where holdfast ui runs to get another")
                        .asRuntimeException()));
    }

    private ObjectNode opened(ServiceRequestContext ctx, OpenedSession opened) {
        return describe(ctx, Optional.of(opened.session())).put("session", opened.id());
    }

    private HttpResponse logOut(ServiceRequestContext ctx) {
        SessionTable sessions = options.sessions();
        if (sessions != null) {
            sessions.end(ctx);
        }
        return HttpResponse.of(HttpStatus.NO_CONTENT);
    }

    private ObjectNode describe(ServiceRequestContext ctx) {
        return describe(
                ctx,
                options.sessions() == null
                        ? Optional.empty()
                        : options.sessions().of(ctx));
    }

    private ObjectNode describe(ServiceRequestContext ctx, Optional<Session> session) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("version", options.version());
        Optional<String> caller;
        try {
            caller = served.guard().caller(ctx);
        } catch (StatusRuntimeException e) {
            return json.put("login", "needed");
        }
        json.put("login", options.sessions() == null ? "none" : "done");
        caller.ifPresent(name -> json.put("caller", name));
        json.put("mayAdminister", served.guard().isAllowedSomewhere(ctx, Access.ADMINISTER));
        session.ifPresent(
                it -> json.put("expiresIn", DurationText.seconds(it.left().truncatedTo(ChronoUnit.SECONDS))));
        return json.put("store", options.store()).put("title", options.title());
    }
}
