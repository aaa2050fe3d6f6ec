package dev.holdfast.client;

import dev.holdfast.client.link.Link;
import dev.holdfast.client.link.LinkException;
import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.engine.Backoff;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.Key;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreException.Effect;
import dev.holdfast.wire.Told;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request, sent until a server answers it: again to the next server if one does not, for as long as there is time.
 *
 * <p>Every attempt is decided by the server that gets it as if it were the first. So an answer tells of a write that
 * began after <em>its</em> attempt was sent, and that is where the holder may count from: also a grant that an earlier
 * attempt was given unheard is begun anew by the one that was heard.
 *
 * <p>Thread-safe. The lock guards the fields and is never held while calling out.
 */
final class RemoteCall<Q, R> {
    private final Remote remote;
    private final What<Q, R> what;
    private final long deadlineNanos;
    private final CompletableFuture<Reply<R>> result = new CompletableFuture<>();

    private @Nullable CompletableFuture<R> underWay;
    private int attempts;
    private boolean mayBeApplied;

    private RemoteCall(Remote remote, What<Q, R> what, long deadlineNanos) {
        this.remote = remote;
        this.what = what;
        this.deadlineNanos = deadlineNanos;
    }

    /**
     * What is asked.
     *
     * @param key that it is about; null if about none
     * @param request made for each attempt, as what is left to wait for shrinks
     * @param patience the most that one attempt may take, before another server is asked
     * @param repeatable whether it may be sent again though it may have been applied
     */
    record What<Q, R>(
            @Nullable Key key,
            MethodDescriptor<Q, R> method,
            Supplier<Q> request,
            Duration patience,
            boolean repeatable) {}

    /**
     * An answer.
     *
     * @param message null if the token that was shown does not hold the key
     * @param sent when the attempt was sent that was answered
     */
    record Reply<R>(@Nullable R message, @Nullable LostReason lost, Moment sent, Moment answered) {
        R told() {
            return Objects.requireNonNull(message);
        }
    }

    /** Asks; cancelling the future cancels the call that is under way. */
    static <Q, R> CompletableFuture<Reply<R>> ask(Remote remote, What<Q, R> what, long deadlineNanos) {
        RemoteCall<Q, R> call = new RemoteCall<>(remote, what, deadlineNanos);
        Runnable forget = remote.onClose(call.result::completeExceptionally);
        Futures.whenDone(call.result, (reply, error) -> {
            forget.run();
            call.stop();
        });
        call.attempt();
        return call.result;
    }

    private Runtime runtime() {
        return remote.runtime();
    }

    /** Runs on a timer, too, where nothing that it throws would reach the caller. */
    private void attempt() {
        try {
            send();
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private void send() {
        long left = deadlineNanos - runtime().nanos();
        if (result.isDone()) {
            return;
        }
        Link link = remote.links().current();
        Object credentials = link.credentials();
        Moment sent = remote.moment();
        Duration most = Duration.ofNanos(Math.max(1, left));
        Duration timeout = most.compareTo(what.patience()) < 0 ? most : what.patience();
        CompletableFuture<R> call = link.call(what.method(), what.request().get(), timeout);
        boolean tooLate;
        synchronized (this) {
            underWay = call;
            tooLate = result.isDone();
        }
        if (tooLate) {
            call.cancel(false);
        }
        Futures.whenDone(
                call, (message, error) -> Delivery.run(() -> answered(link, credentials, sent, message, error)));
    }

    private void stop() {
        CompletableFuture<R> call;
        synchronized (this) {
            call = underWay;
        }
        if (call != null) {
            call.cancel(false);
        }
    }

    private void answered(
            Link link, @Nullable Object credentials, Moment sent, @Nullable R message, @Nullable Throwable error) {
        if (message != null) {
            result.complete(new Reply<>(message, null, sent, remote.moment()));
        } else if (error != null && Futures.cause(error) instanceof LinkException failure) {
            if (failure.isUnauthenticated() && link.rereadCredentials() != credentials) {
                attempt(); // They have been replaced since.
                return;
            }
            failed(link, sent, failure);
        } else if (error != null && !result.isDone()) {
            result.completeExceptionally(Futures.cause(error));
        }
    }

    private void failed(Link link, Moment sent, LinkException failure) {
        Optional<LostReason> lost = Trouble.lost(failure).map(it -> Told.reason(it.getReason()));
        if (lost.isPresent()) {
            result.complete(new Reply<>(null, lost.get(), sent, remote.moment()));
            return;
        }
        Trouble trouble = Trouble.of(failure);
        mayBeApplied |= trouble.mayBeApplied();
        if (!trouble.retryable() || (mayBeApplied && !what.repeatable())) {
            fail(trouble);
            return;
        }
        remote.links().leave(link);
        link.retryAtOnce();
        Duration delay = pause(trouble);
        if (runtime().nanos() + delay.toNanos() - deadlineNanos >= 0) {
            fail(trouble);
        } else if (delay.isZero()) {
            attempt();
        } else {
            runtime().schedule(delay, this::attempt);
        }
    }

    /** None before each server was asked once. */
    private Duration pause(Trouble trouble) {
        int round = attempts++ / remote.links().size();
        if (what.key() != null && trouble.error() instanceof StoreException cause) {
            remote.listener().onRetry(what.key(), attempts, cause);
        }
        boolean nextIsFresh = attempts % remote.links().size() != 0;
        Duration pause = nextIsFresh ? Duration.ZERO : Backoff.RETRY.delay(round, runtime());
        return pause.compareTo(trouble.pause()) < 0 ? trouble.pause() : pause;
    }

    private void fail(Trouble trouble) {
        if (!(trouble.error() instanceof StoreException failure)) {
            result.completeExceptionally(trouble.error());
            return;
        }
        Effect effect = mayBeApplied ? Effect.UNKNOWN : Effect.NOT_APPLIED;
        String known = mayBeApplied
                ? "no server answered in time; the request may have been applied, or may yet be"
                : "the request was not applied";
        result.completeExceptionally(failure.about(what.key(), effect, known + " (" + failure.getMessage() + ")"));
    }
}
