package dev.holdfast.dashboard;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AcquireResult;
import dev.holdfast.EditResult;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.dashboard.ActionService.ActionRequest;
import dev.holdfast.dashboard.ActionService.ActionResult;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Grant;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The actions on single keys. */
record KeyActions(ServedLeases served) {
    static final Set<String> NAMES = Set.of("evict", "release", "reopen", "delete");

    CompletionStage<ActionResult> act(ServiceRequestContext ctx, ActionRequest request) {
        Key key = Key.of(request.namespace(), request.name());
        served.guard().require(ctx, Access.ADMINISTER, key.namespace());
        CompletionStage<ActionResult> acting = switch (request.action()) {
            case "evict" ->
                served.leases()
                        .evict(key, request.reason(), Holder.of(ActionService.operator(served, ctx)))
                        .thenApply(it -> result(it, "The lease was evicted.", "The key is not held."));
            case "release" -> release(key);
            case "reopen" ->
                served.leases()
                        .reopen(key)
                        .thenApply(it -> result(it, "The key can be leased again.", "The key is not done."));
            default ->
                served.leases()
                        .delete(key, null)
                        .thenApply(it -> result(it, "The key was deleted.", "There was nothing to delete."));
        };
        Futures.whenDone(acting, (result, error) -> served.changed(key));
        return served.audited(ctx, request.action(), key.toString(), request.reason(), acting, ActionResult::result);
    }

    /** Releases as the holder would, with its token: the next client in the line is granted the key. */
    private CompletionStage<ActionResult> release(Key key) {
        return served.leases().get(key).thenCompose(found -> {
            Optional<Grant> grant = found.filter(LeaseStatus::isHeld)
                    .map(status -> status.entry().grant());
            if (grant.isEmpty()) {
                return CompletableFuture.completedFuture(new ActionResult("unchanged", "The key is not held."));
            }
            return served.service()
                    .release(key, new LeaseRequest.Release(grant.get().token()))
                    .thenApply(answer -> answer instanceof Answer.Applied
                            ? new ActionResult("changed", "The lease was released.")
                            : new ActionResult("unchanged", "The lease had ended already."));
        });
    }

    private static ActionResult result(EditResult result, String changed, String unchanged) {
        if (result instanceof AcquireResult.HeldByAnother held) {
            return new ActionResult(
                    "held",
                    "It is held by " + ArgumentCheck.printable(held.holder().name()) + ".");
        }
        return result instanceof EditResult.Changed
                ? new ActionResult("changed", changed)
                : new ActionResult("unchanged", unchanged);
    }
}
