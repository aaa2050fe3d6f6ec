package dev.holdfast.client;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.service.Answer;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One acquire request, which waits for its grant at the server.
 *
 * <p>During a long wait, the client cannot know when the grant was written, only that this was after it sent the
 * request. So a grant that took long is renewed before it is returned, and its term counts from before that renewal.
 */
final class RemoteAcquire {
    /**
     * The divisor of the term: up to this fraction of it may have passed since the request was sent. After that a
     * renewal would be due anyway.
     */
    private static final int FRESH_DIVISOR = 3;

    /** A server that is slower than the term this many times in a row cannot keep a lease of that term. */
    private static final int LATE_RENEWALS_MAX = 3;

    private final LeaseCalls calls;
    private final AnchorSessions anchors;
    private final ValidityRules validity;
    private final Key key;
    private final LeaseRequest.Acquire request;
    private final long waitUntilNanos;
    private final CompletableFuture<Answer> result = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<?> current;
    /** Whether an attempt was granted, though perhaps too long ago to rely on it. */
    private volatile boolean wasGranted;

    private final AtomicInteger lateRenewals = new AtomicInteger();

    RemoteAcquire(
            LeaseCalls calls,
            AnchorSessions anchors,
            ValidityRules validity,
            Key key,
            LeaseRequest.Acquire request,
            long waitUntilNanos) {
        this.calls = calls;
        this.anchors = anchors;
        this.validity = validity;
        this.key = key;
        this.request = request;
        this.waitUntilNanos = waitUntilNanos;
    }

    CompletableFuture<Answer> begin() {
        send();
        Futures.whenDone(result, (answer, error) -> completed(error));
        return result;
    }

    private void send() {
        follow(calls.acquire(key, request, anchors.token(request.anchor()), waitUntilNanos), this::answered);
    }

    private void follow(CompletableFuture<Answer> call, Consumer<Answer> next) {
        current = call;
        if (result.isDone()) {
            call.cancel(false);
        }
        Futures.whenDone(call, (answer, error) -> {
            if (answer == null) {
                fail(Futures.cause(Objects.requireNonNull(error)));
                return;
            }
            try {
                next.accept(answer);
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
    }

    private void answered(Answer answer) {
        if (!(answer instanceof Answer.Applied granted)) {
            result.complete(answer);
            return;
        }
        wasGranted = true;
        if (isWithin(granted, request.term().duration().dividedBy(FRESH_DIVISOR))) {
            complete(granted);
        } else {
            renew();
        }
    }

    private boolean isWithin(Answer.Applied granted, Duration limit) {
        return validity.elapsed(granted.lastSent(), granted.answered()).compareTo(limit) < 0;
    }

    private void renew() {
        follow(calls.call(key, new LeaseRequest.Renew(request.token(), null, AttributePatch.NONE)), this::confirmed);
    }

    private void confirmed(Answer answer) {
        if (answer instanceof Answer.Applied granted) {
            if (isWithin(granted, request.term().duration())) {
                complete(granted);
            } else if (lateRenewals.incrementAndGet() < LATE_RENEWALS_MAX) {
                renew();
            } else {
                fail(StoreException.unknown("the servers take longer to respond than the term lasts", null));
            }
        } else if (calls.isBefore(waitUntilNanos)) {
            send(); // The lease expired before the response arrived, and another client acquired it.
        } else {
            fail(StoreException.unknown("the key was granted, and lost before the response arrived", null));
        }
    }

    /** Once the key was granted, the error must not report that the call had no effect. */
    private void fail(Throwable error) {
        result.completeExceptionally(
                wasGranted && error instanceof StoreException failure && isNotApplied(failure)
                        ? failure.about(
                                key,
                                StoreException.Effect.UNKNOWN,
                                "the key was granted, but then the call failed (" + error.getMessage() + ")")
                        : error);
    }

    private static boolean isNotApplied(Throwable error) {
        return error instanceof StoreException failure && failure.effect() == StoreException.Effect.NOT_APPLIED;
    }

    private void complete(Answer.Applied granted) {
        anchors.granted(granted.entry());
        if (!result.complete(granted)) {
            calls.releaseUnwanted(key, request.token());
        }
    }

    /** Cancels the call if the caller gave up. A grant that may still be in flight is released. */
    private void completed(@Nullable Throwable error) {
        CompletableFuture<?> call = current;
        if (error == null || call == null) {
            return;
        }
        call.cancel(false);
        if (!isNotApplied(error) && !(error instanceof IllegalArgumentException)) {
            calls.releaseUnwanted(key, request.token());
        }
    }
}
