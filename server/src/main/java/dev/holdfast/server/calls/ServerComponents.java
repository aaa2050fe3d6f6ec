package dev.holdfast.server.calls;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.explanation.LeaseExplanation;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.server.extension.ChangedKeys;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.extension.ServerDrain;
import dev.holdfast.server.security.AccessGuard;
import dev.holdfast.server.watch.SharedScan;
import dev.holdfast.server.wire.LongRequests;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Entry;
import dev.holdfast.support.Futures;
import io.grpc.StatusRuntimeException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The components that all calls of one server share, and the steps that they have in common.
 *
 * @param client the leases on the store
 * @param leases their asynchronous form
 * @param service the service behind them
 */
public record ServerComponents(
        Leases client,
        AsyncLeases leases,
        LeaseService service,
        AccessGuard guard,
        StreamAdmission admission,
        RequestGate gate,
        ServerDrain drain,
        SharedScan watches,
        AuditLog audit,
        HolderOrigins origins,
        ChangedKeys changedKeys)
        implements ServedLeases {
    @Override
    public CompletableFuture<Answer> grant(Key key, LeaseRequest.Acquire ask) {
        return reported(service.acquire(key, ask, 0));
    }

    /** Reports a grant to metrics and watches. */
    CompletableFuture<Answer> reported(CompletableFuture<Answer> outcome) {
        Futures.whenDone(outcome, (result, error) -> {
            if (result instanceof Answer.Applied granted) {
                Entry entry = Objects.requireNonNull(granted.entry());
                service.listener().onGranted(entry.key(), entry.fence());
                changed(entry.key());
            }
        });
        return outcome;
    }

    @Override
    public void changed(Key key) {
        watches.changed(key);
        changedKeys.changed(key);
    }

    @Override
    public Runnable onChanged(Consumer<Key> listener) {
        return changedKeys.add(listener);
    }

    @Override
    public void openStream(ServiceRequestContext ctx, Consumer<StatusRuntimeException> end) {
        drain.refuseIfBegun();
        Runnable leave = admission.watch(ctx);
        Runnable unregister;
        try {
            unregister = drain.onBegin(() -> end.accept(ServerDrain.ending()));
        } catch (RuntimeException e) {
            leave.run();
            throw e;
        }
        LongRequests.onRevoked(ctx, end);
        Futures.whenDone(ctx.log().whenComplete(), (log, error) -> {
            unregister.run();
            leave.run();
        });
    }

    @Override
    public <T> CompletionStage<T> audited(
            ServiceRequestContext ctx,
            String action,
            String target,
            String reason,
            CompletionStage<T> act,
            Function<T, String> result) {
        return audit.after(ctx, action, target, reason, act, result);
    }

    @Override
    public LeaseExplanation withOrigin(LeaseExplanation explanation) {
        return origins.addTo(explanation);
    }

    @Override
    public CompletableFuture<Answer> carryOut(Key key, LeaseRequest request) {
        ObservedEntry before = request instanceof LeaseRequest.Renew ? service.lastObserved(key) : null;
        return service.submit(key, request).thenApply(answer -> {
            if (answer instanceof Answer.Refused refused && refused.refusal() instanceof Decision.Lost lost) {
                service.listener().onLost(key, lost.reason());
            } else if (request instanceof LeaseRequest.Renew renew) {
                reportRenewal(key, renew, before);
            }
            return answer.unlessLost(key);
        });
    }

    private void reportRenewal(Key key, LeaseRequest.Renew renew, @Nullable ObservedEntry before) {
        Entry entry = before == null ? null : before.entry();
        if (before != null && entry != null && entry.grant() != null && entry.isOf(renew.token())) {
            long sinceNanos = service.nanos() - before.beatSeenNanos();
            service.listener().onRenewed(key, entry.grant().term().toNanos() - sinceNanos);
        }
    }

    @Override
    public void releaseIfUndelivered(ServiceRequestContext ctx, Answer outcome) {
        if (outcome instanceof Answer.Applied) {
            Futures.whenDone(ctx.log().whenComplete(), (log, failure) -> {
                if (log == null || log.responseCause() != null) {
                    releaseUndelivered(outcome);
                }
            });
        }
    }

    /** Releases a grant that cannot be delivered, unless it was renewed since. Other answers need no release. */
    public void releaseUndelivered(Answer outcome) {
        if (outcome instanceof Answer.Applied granted) {
            CompletableFuture<Void> unused = service.releaseUndelivered(granted);
        }
    }
}
