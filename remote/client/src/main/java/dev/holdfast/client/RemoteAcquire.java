package dev.holdfast.client;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.client.RemoteCall.Reply;
import dev.holdfast.client.RemoteCall.What;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.Held;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.RenewResponse;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.OutcomeMessages;
import dev.holdfast.wire.TimeMessages;
import java.time.Duration;
import java.time.Instant;
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

    private final RemoteRequests requests;
    private final RemoteContext remoteContext;
    private final Key key;
    private final LeaseRequest.Acquire request;
    private final AcquireRequest.Builder wire;
    private final long waitUntilNanos;
    private final CompletableFuture<Answer> result = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<?> current;
    /** Whether an attempt was granted, though perhaps too long ago to rely on it. */
    private volatile boolean wasGranted;

    private final AtomicInteger lateRenewals = new AtomicInteger();

    private RemoteAcquire(
            RemoteRequests requests, Key key, LeaseRequest.Acquire request, AcquireRequest.Builder wire, long until) {
        this.requests = requests;
        this.remoteContext = requests.remote();
        this.key = key;
        this.request = request;
        this.wire = wire;
        this.waitUntilNanos = until;
    }

    /** @param wire the request without the wait, which lasts until {@code untilNanos} */
    static CompletableFuture<Answer> begin(
            RemoteRequests requests,
            Key key,
            LeaseRequest.Acquire request,
            AcquireRequest.Builder wire,
            long untilNanos) {
        RemoteAcquire remoteAcquire = new RemoteAcquire(requests, key, request, wire, untilNanos);
        remoteAcquire.send();
        Futures.whenDone(remoteAcquire.result, (answer, error) -> remoteAcquire.completed(error));
        return remoteAcquire.result;
    }

    private void send() {
        long now = remoteContext.runtime().nanos();
        Duration wait = Duration.ofNanos(Math.max(0, waitUntilNanos - now));
        // The operation timeout is added to the wait, as for any request.
        long deadline = now + wait.toNanos() + remoteContext.operationTimeout().toNanos();
        Duration attemptTimeout =
                wait.isZero() ? remoteContext.attemptTimeout() : wait.plus(remoteContext.operationTimeout());
        What<AcquireRequest, AcquireResponse> spec =
                new What<>(key, LeasesGrpc.getAcquireMethod(), this::message, attemptTimeout, true);
        follow(RemoteCall.start(remoteContext, spec, deadline), this::answered);
    }

    private AcquireRequest message() {
        long left = waitUntilNanos - remoteContext.runtime().nanos();
        return left <= 0
                ? wire.clearWait().build()
                : wire.setWait(TimeMessages.wire(Duration.ofNanos(left))).build();
    }

    private <R> void follow(CompletableFuture<Reply<R>> call, Consumer<Reply<R>> next) {
        current = call;
        if (result.isDone()) {
            call.cancel(false);
        }
        Futures.whenDone(call, (reply, error) -> {
            if (reply == null) {
                fail(Futures.cause(Objects.requireNonNull(error)));
                return;
            }
            try {
                next.accept(reply);
            } catch (IllegalArgumentException e) {
                result.completeExceptionally(StoreException.unknown("unreadable response: " + e, e));
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
    }

    private void answered(Reply<AcquireResponse> reply) {
        AcquireResponse response = reply.requireMessage();
        switch (response.getOutcomeCase()) {
            case GRANTED -> granted(reply, response.getGranted().getStatus());
            case HELD -> result.complete(refused(held(response.getHeld())));
            case DONE -> {
                Instant doneAt =
                        TimeMessages.instant("done_at", response.getDone().getDoneAt());
                requests.noteDone(key, doneAt, reply.sent().nanos());
                result.complete(refused(new Decision.Finished(doneAt)));
            }
            case OUTCOME_NOT_SET -> throw new IllegalArgumentException("no outcome");
        }
    }

    private void granted(Reply<AcquireResponse> reply, dev.holdfast.proto.v1.LeaseStatus status) {
        wasGranted = true;
        Duration since = requests.validity().elapsed(reply.sent(), reply.answered());
        if (since.compareTo(request.term().duration().dividedBy(FRESH_DIVISOR)) < 0) {
            complete(applied(reply, status));
        } else {
            renew();
        }
    }

    private void renew() {
        LeaseRequest.Renew renewal = new LeaseRequest.Renew(request.token(), null, AttributePatch.NONE);
        follow(requests.renewal(key, renewal, remoteContext.operationDeadline()), this::confirmed);
    }

    private void confirmed(Reply<RenewResponse> reply) {
        if (reply.lost() == null) {
            boolean expired = requests.validity()
                            .elapsed(reply.sent(), reply.answered())
                            .compareTo(request.term().duration())
                    >= 0;
            if (!expired) {
                complete(applied(reply, reply.requireMessage().getStatus()));
            } else if (lateRenewals.incrementAndGet() < LATE_RENEWALS_MAX) {
                renew();
            } else {
                fail(StoreException.unknown("the servers take longer to respond than the term lasts", null));
            }
        } else if (waitUntilNanos - remoteContext.runtime().nanos() > 0) {
            send(); // The lease expired before the response arrived, and another client acquired it.
        } else {
            fail(StoreException.unknown("the key was granted, and lost before the response arrived", null));
        }
    }

    /** Once the key was granted, the error must not report that the call had no effect. */
    private void fail(Throwable error) {
        boolean effectIsWrong = wasGranted
                && error instanceof StoreException failure
                && failure.effect() == StoreException.Effect.NOT_APPLIED;
        result.completeExceptionally(
                effectIsWrong
                        ? ((StoreException) error)
                                .about(
                                        key,
                                        StoreException.Effect.UNKNOWN,
                                        "the key was granted, but then the call failed (" + error.getMessage() + ")")
                        : error);
    }

    private static Answer.Applied applied(Reply<?> reply, dev.holdfast.proto.v1.LeaseStatus status) {
        return new Answer.Applied(OutcomeMessages.entry(status), reply.sent(), reply.sent(), reply.answered());
    }

    private void complete(Answer.Applied granted) {
        requests.noteAnchor(granted);
        if (!result.complete(granted)) {
            requests.releaseUnwanted(key, request.token());
        }
    }

    private Answer refused(Decision.Refusal refusal) {
        return new Answer.Refused(refusal, 0, remoteContext.runtime().nanos());
    }

    static Decision.Held held(Held wire) {
        return new Decision.Held(
                Holder.of(wire.getHolder()),
                Token.HIDDEN,
                Fence.of(wire.getFence()),
                null,
                null,
                TimeMessages.duration("remaining", wire.getRemaining()));
    }

    /** Cancels the call if the caller gave up. A grant that may still be in flight is released. */
    private void completed(@Nullable Throwable error) {
        CompletableFuture<?> call = current;
        if (error == null || call == null) {
            return;
        }
        boolean notApplied =
                error instanceof StoreException failure && failure.effect() == StoreException.Effect.NOT_APPLIED;
        call.cancel(false);
        if (!notApplied && !(error instanceof IllegalArgumentException)) {
            requests.releaseUnwanted(key, request.token());
        }
    }
}
