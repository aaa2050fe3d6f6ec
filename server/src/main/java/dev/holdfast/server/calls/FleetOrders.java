package dev.holdfast.server.calls;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.server.security.FleetOrderKeys;
import dev.holdfast.service.Answer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The orders to fleets as the server sees them. An order is given and revoked by a grant of its key. The server adds the
 * name of its authenticated caller, which a client cannot choose, and logs the order.
 */
record FleetOrders(ServerComponents parts) {
    private static final Set<String> ACTIONS =
            Set.of("pause", "resume", "drain", "undrain", "freeze", "thaw", "move", "cancel-move");

    /** The attribute that names the authenticated caller. */
    private static final String CALLER = "caller";

    /** The request with the name of its caller, if it is an order. */
    LeaseRequest.Acquire signed(ServiceRequestContext ctx, Key key, LeaseRequest.Acquire ask) {
        return ask.withAttributes(signed(ctx, key, ask.attributes()));
    }

    AttributePatch signed(ServiceRequestContext ctx, Key key, AttributePatch patch) {
        if (!FleetOrderKeys.isOrder(key)) {
            return patch;
        }
        return parts.guard()
                .caller(ctx)
                .map(caller -> patch.put(CALLER, caller))
                .orElse(patch);
    }

    /** Logs the order, if it is one, when it has been given or not. */
    CompletableFuture<Answer> logged(
            ServiceRequestContext ctx, Key key, LeaseRequest.Acquire ask, CompletableFuture<Answer> answer) {
        if (FleetOrderKeys.isOrder(key)) {
            String action = ask.attributes()
                    .puts()
                    .text("action")
                    .filter(ACTIONS::contains)
                    .orElse("acquire-order");
            String reason = ask.attributes().puts().text("reason").orElse("");
            parts.audit().after(ctx, action, key, reason, answer, FleetOrders::result);
        }
        return answer;
    }

    private static String result(Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            return refused.refusal() instanceof Decision.Held ? "held" : "unchanged";
        }
        return "changed";
    }
}
