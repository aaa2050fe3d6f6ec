package dev.holdfast.client;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.client.link.RemoteCall;
import dev.holdfast.client.link.RemoteContext;
import dev.holdfast.client.link.ServerReply;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.service.Answer;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.OutcomeMessages;
import dev.holdfast.wire.TimeMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
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

    private final RemoteContext context;
    private final LeaseCalls calls;
    private final AnchorSessions anchors;
    private final DoneKeyCache doneKeys;
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
            RemoteContext context,
            LeaseCalls calls,
            AnchorSessions anchors,
            DoneKeyCache doneKeys,
            ValidityRules validity,
            Key key,
            LeaseRequest.Acquire request,
            long waitUntilNanos) {
        this.context = context;
        this.calls = calls;
        this.anchors = anchors;
        this.doneKeys = doneKeys;
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
        long now = context.nanos();
        Optional<Instant> doneAt = doneKeys.doneAt(key);
        if (doneAt.isPresent()) {
            result.complete(new Answer.Refused(new Decision.Finished(doneAt.get()), 0, now));
            return;
        }
        Duration wait = Duration.ofNanos(Math.max(0, waitUntilNanos - now));
        // The operation timeout is added to the wait, as for any request.
        Duration longest = wait.plus(context.operationTimeout());
        Token anchor = anchors.token(request.anchor());
        RemoteCall.Description<AcquireRequest, AcquireResponse> description = new RemoteCall.Description<>(
                key,
                LeasesGrpc.getAcquireMethod(),
                () -> RequestMessages.acquire(key, request, anchor, waitUntilNanos - context.nanos()),
                wait.isZero() ? context.attemptTimeout() : longest,
                true);
        follow(RemoteCall.start(context, description, now + longest.toNanos()), this::answered);
    }

    private <T> void follow(CompletableFuture<T> call, Consumer<T> next) {
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

    private void answered(ServerReply<AcquireResponse> reply) {
        Answer answer = LeaseCalls.answer(reply, it -> it.read(response -> answer(it, response)));
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

    private Answer answer(ServerReply<?> reply, AcquireResponse response) {
        return switch (response.getOutcomeCase()) {
            case GRANTED ->
                LeaseCalls.applied(
                        reply, OutcomeMessages.entry(response.getGranted().getStatus()));
            case HELD -> LeaseCalls.refused(reply, RequestMessages.held(response.getHeld()));
            case DONE -> {
                Instant doneAt =
                        TimeMessages.instant("done_at", response.getDone().getDoneAt());
                doneKeys.note(key, doneAt, reply.sent().nanos());
                yield LeaseCalls.refused(reply, new Decision.Finished(doneAt));
            }
            case OUTCOME_NOT_SET -> throw new IllegalArgumentException("no outcome");
        };
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
        } else if (waitUntilNanos - context.nanos() > 0) {
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
