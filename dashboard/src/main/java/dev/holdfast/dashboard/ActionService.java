package dev.holdfast.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.http.JsonResponses;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The actions of operators. Each needs permission to administer and a reason, and writes a line to the audit log. */
final class ActionService implements HttpService {
    private static final int REASON_BYTES = 1_024;
    private static final int MOST_UNITS = 10_000;

    private final KeyActions keys;
    private final FleetActions fleets;
    private final Runnable afterwards;

    /** @param afterwards called when an action has ended */
    ActionService(ServedLeases served, Runnable afterwards) {
        this.keys = new KeyActions(served);
        this.fleets = new FleetActions(served);
        this.afterwards = afterwards;
    }

    /**
     * The parameters of an action.
     *
     * @param units for pause and resume
     */
    record ActionRequest(
            String action,
            String namespace,
            String name,
            String fleet,
            List<String> units,
            String unit,
            String worker,
            String reason) {
        static ActionRequest of(JsonNode body) {
            List<String> units = new ArrayList<>();
            body.path("units").forEach(unit -> units.add(unit.asText()));
            if (units.size() > MOST_UNITS) {
                throw ArgumentCheck.bad("units", units.size(), "at most " + MOST_UNITS);
            }
            String reason = ArgumentCheck.text("reason", text(body, "reason").strip(), REASON_BYTES);
            if (reason.isEmpty()) {
                throw ArgumentCheck.bad("reason", "none", "the reason for the action, in a few words");
            }
            return new ActionRequest(
                    text(body, "action"),
                    text(body, "namespace"),
                    text(body, "name"),
                    text(body, "fleet"),
                    units,
                    text(body, "unit"),
                    text(body, "worker"),
                    reason);
        }

        private static String text(JsonNode body, String field) {
            return body.path(field).asText("");
        }
    }

    /**
     * The outcome of an action.
     *
     * @param result {@code changed}, {@code unchanged} or {@code held}
     * @param detail one sentence for people
     */
    record ActionResult(String result, String detail) {}

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        return request.method() == HttpMethod.POST
                ? RequestJson.read(ctx, request, body -> act(ctx, ActionRequest.of(body)))
                : JsonResponses.notAllowed("POST");
    }

    private HttpResponse act(ServiceRequestContext ctx, ActionRequest request) {
        CompletionStage<ActionResult> acting =
                KeyActions.NAMES.contains(request.action) ? keys.act(ctx, request) : fleets.act(ctx, request);
        Futures.whenDone(acting, (result, error) -> afterwards.run());
        return JsonResponses.of(
                ctx,
                acting,
                result -> JsonResponses.ok(JsonNodeFactory.instance
                        .objectNode()
                        .put("result", result.result)
                        .put("detail", result.detail)));
    }

    /** The name under which an action is recorded in the store. */
    static String operator(ServedLeases served, ServiceRequestContext ctx) {
        String caller = served.guard().caller(ctx).orElse(ctx.clientAddress().getHostAddress());
        String named = caller + " (dashboard)";
        return ArgumentCheck.utf8Length(named) > SizeLimits.HOLDER_BYTES ? caller : named;
    }
}
