package dev.holdfast.dashboard;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.dashboard.ActionService.ActionRequest;
import dev.holdfast.dashboard.ActionService.ActionResult;
import dev.holdfast.dashboard.view.FleetNames;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetControl;
import dev.holdfast.fleet.OldWorkersException;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The orders to fleets. */
record FleetActions(ServedLeases served) {
    CompletionStage<ActionResult> act(ServiceRequestContext ctx, ActionRequest request) {
        FleetControl control =
                Fleet.control(served.client(), request.fleet()).onBehalfOf(ActionService.operator(served, ctx));
        served.guard().require(ctx, Access.ADMINISTER, FleetNames.control(request.fleet()));
        CompletionStage<ActionResult> acting = order(control, request)
                .exceptionallyCompose(error -> CompletableFuture.failedFuture(explained(Futures.cause(error))));
        return served.audited(
                ctx, logName(request.action()), target(request), request.reason(), acting, ActionResult::result);
    }

    private static CompletionStage<ActionResult> order(FleetControl control, ActionRequest request) {
        String reason = request.reason();
        return switch (request.action()) {
            case "pause" -> control.pauseAsync(request.units(), reason).thenApply(units -> of(units, "paused"));
            case "resume" -> control.resumeAsync(request.units(), reason).thenApply(units -> of(units, "resumed"));
            case "drain" ->
                control.drainAsync(request.worker(), reason)
                        .thenApply(is -> of(is, "The worker is draining.", "The worker was drained before."));
            case "undrain" ->
                control.undrainAsync(request.worker(), reason)
                        .thenApply(is -> of(is, "The worker gets units again.", "The worker was not drained."));
            case "freeze" ->
                control.freezeAsync(reason)
                        .thenApply(is -> of(is, "The fleet is frozen.", "The fleet was frozen before."));
            case "thaw" ->
                control.thawAsync(reason)
                        .thenApply(is -> of(is, "The fleet is not frozen any more.", "The fleet was not frozen."));
            case "move" ->
                control.moveAsync(request.unit(), request.worker(), reason)
                        .thenApply(is -> of(is, "The unit moves.", "The unit was moved there before."));
            case "cancelMove" ->
                control.cancelMoveAsync(request.unit(), reason)
                        .thenApply(is -> of(is, "The move was cancelled.", "The unit was not moved."));
            default ->
                throw ArgumentCheck.bad(
                        "action",
                        request.action(),
                        "evict, release, reopen, delete, pause, resume, drain, undrain, freeze, thaw, move or cancelMove");
        };
    }

    private static ActionResult of(Set<String> units, String verb) {
        return of(
                !units.isEmpty(),
                units.size() + (units.size() == 1 ? " unit was " : " units were ") + verb + ".",
                "Nothing changed.");
    }

    private static ActionResult of(boolean isChanged, String changed, String unchanged) {
        return isChanged ? new ActionResult("changed", changed) : new ActionResult("unchanged", unchanged);
    }

    /** An order that the fleet cannot follow is a mistake of the operator, not of the server. */
    private static Throwable explained(Throwable error) {
        return error instanceof OldWorkersException
                ? Status.INVALID_ARGUMENT.withDescription(error.getMessage()).asRuntimeException()
                : error;
    }

    private static String target(ActionRequest request) {
        String subject = switch (request.action()) {
            case "pause", "resume" -> " units " + String.join(", ", request.units());
            case "drain", "undrain" -> " worker " + request.worker();
            case "move" -> " unit " + request.unit() + " to " + request.worker();
            case "cancelMove" -> " unit " + request.unit();
            default -> "";
        };
        return "fleet " + request.fleet() + subject;
    }

    /** The name that the same order has in the log when it comes from another client. */
    private static String logName(String action) {
        return action.equals("cancelMove") ? "cancel-move" : action;
    }
}
