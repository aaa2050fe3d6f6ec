package dev.holdfast.client.link;

import dev.holdfast.Key;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import dev.holdfast.support.RetryBackoff;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request, sent until a server responds. If a server does not respond, the request goes to the next one, until the
 * deadline.
 *
 * <p>The server that receives an attempt decides it as if it were the first. So a response reports a write that began
 * after <em>its</em> attempt was sent, and the holder may count from then. This also holds if an earlier attempt was
 * granted and its response was lost: the attempt that got a response starts a new term.
 *
 * <p>Thread-safe. Attempts follow one another; only the end of the call may come at any time.
 */
public final class RemoteCall<Q, R> {
    private final RemoteContext context;
    private final Description<Q, R> spec;
    private final long deadlineNanos;
    private final CompletableFuture<ServerReply<R>> result = new CompletableFuture<>();

    private volatile @Nullable CompletableFuture<R> current;
    private int attempts;
    private boolean mayBeApplied;

    private RemoteCall(RemoteContext context, Description<Q, R> spec, long deadlineNanos) {
        this.context = context;
        this.spec = spec;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * The content of a call.
     *
     * @param key the key of the request; null if it has none
     * @param request creates the message for each attempt, because the remaining wait shrinks
     * @param attemptTimeout the maximum time of one attempt before the next server is tried
     * @param repeatable whether the request may be sent again although it may have been applied
     */
    public record Description<Q, R>(
            @Nullable Key key,
            MethodDescriptor<Q, R> method,
            Supplier<Q> request,
            Duration attemptTimeout,
            boolean repeatable) {}

    /** Sends the request. Cancelling the future cancels the current attempt. */
    public static <Q, R> CompletableFuture<ServerReply<R>> start(
            RemoteContext context, Description<Q, R> spec, long deadlineNanos) {
        RemoteCall<Q, R> call = new RemoteCall<>(context, spec, deadlineNanos);
        Runnable unregister = context.onClose(call.result::completeExceptionally);
        Futures.whenDone(call.result, (reply, error) -> {
            unregister.run();
            call.stop();
        });
        call.attempt();
        return call.result;
    }

    /** Also runs on a timer, where an exception would not reach the caller. */
    private void attempt() {
        try {
            send();
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private void send() {
        long left = deadlineNanos - context.nanos();
        if (result.isDone()) {
            return;
        }
        ServerLink link = context.links().current();
        String credentials = link.credentials();
        ClockReading sent = context.reading();
        Duration most = Duration.ofNanos(Math.max(1, left));
        Duration timeout = most.compareTo(spec.attemptTimeout()) < 0 ? most : spec.attemptTimeout();
        CompletableFuture<R> call = link.call(spec.method(), spec.request().get(), timeout);
        current = call;
        if (result.isDone()) {
            call.cancel(false);
        }
        Futures.whenDone(
                call, (message, error) -> CallbackThread.run(() -> answered(link, credentials, sent, message, error)));
    }

    private void stop() {
        CompletableFuture<R> call = current;
        if (call != null) {
            call.cancel(false);
        }
    }

    private void answered(
            ServerLink link,
            @Nullable String credentials,
            ClockReading sent,
            @Nullable R message,
            @Nullable Throwable error) {
        if (message != null) {
            result.complete(new ServerReply<>(message, null, sent, context.reading()));
        } else if (error != null && Futures.cause(error) instanceof LinkException failure) {
            if (failure.isUnauthenticated() && link.hasOtherCredentials(credentials)) {
                attempt(); // The credentials have been replaced since.
                return;
            }
            failed(link, sent, failure);
        } else if (error != null && !result.isDone()) {
            result.completeExceptionally(Futures.cause(error));
        }
    }

    private void failed(ServerLink link, ClockReading sent, LinkException failure) {
        Optional<LostReason> lost = CallFailure.lost(failure);
        if (lost.isPresent()) {
            result.complete(new ServerReply<>(null, lost.get(), sent, context.reading()));
            return;
        }
        CallFailure callFailure = CallFailure.of(failure);
        mayBeApplied |= callFailure.mayBeApplied();
        if (!callFailure.retryable() || (mayBeApplied && !spec.repeatable())) {
            fail(callFailure);
            return;
        }
        context.links().leave(link);
        link.retryAtOnce();
        Duration delay = pause(callFailure);
        if (context.nanos() + delay.toNanos() - deadlineNanos >= 0) {
            fail(callFailure);
        } else if (delay.isZero()) {
            attempt();
        } else {
            context.environment().schedule(delay, this::attempt);
        }
    }

    /** Returns no delay before each server was tried once. */
    private Duration pause(CallFailure callFailure) {
        int round = attempts++ / context.links().size();
        if (spec.key() != null && callFailure.error() instanceof StoreException cause) {
            context.listener().onRetry(spec.key(), attempts, cause);
        }
        boolean nextIsUntried = attempts % context.links().size() != 0;
        Duration pause = nextIsUntried ? Duration.ZERO : RetryBackoff.RETRY.delay(round, context.environment());
        return pause.compareTo(callFailure.pause()) < 0 ? callFailure.pause() : pause;
    }

    private void fail(CallFailure callFailure) {
        if (!(callFailure.error() instanceof StoreException failure)) {
            result.completeExceptionally(callFailure.error());
            return;
        }
        StoreException.Effect effect = mayBeApplied ? StoreException.Effect.UNKNOWN : StoreException.Effect.NOT_APPLIED;
        String outcome = mayBeApplied
                ? "no server responded in time; the request may have been applied, or may yet be"
                : "the request was not applied";
        result.completeExceptionally(failure.about(spec.key(), effect, outcome + " (" + failure.getMessage() + ")"));
    }
}
