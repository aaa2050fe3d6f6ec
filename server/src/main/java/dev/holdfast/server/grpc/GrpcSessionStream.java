package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Token;
import dev.holdfast.proto.v1.SessionRequest;
import dev.holdfast.proto.v1.SessionResponse;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.RequestChecks;
import dev.holdfast.server.calls.CallerAnchors;
import dev.holdfast.server.calls.LeaseOperations;
import dev.holdfast.server.calls.ServerComponents;
import dev.holdfast.server.extension.ServerDrain;
import dev.holdfast.server.security.AccessGuard.Access;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.StatusMessages;
import dev.holdfast.wire.TimeMessages;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One session: an anchor that is renewed by heartbeats. While a renewal is in progress, only the number of the latest
 * heartbeat is kept. The next renewal starts after all these heartbeats arrived, so it covers them all.
 *
 * <p>The anchor outlives the stream. If the stream breaks, the anchor stays until its term ends, and its client may
 * resume the session here or elsewhere. The anchor is released only by a close, or if its grant could not be delivered
 * to the client.
 *
 * <p>Confined to the event loop of the call.
 */
final class GrpcSessionStream implements StreamObserver<SessionRequest> {
    private final ServiceRequestContext ctx;
    private final ServerComponents parts;
    private final CallerAnchors anchors;
    private final LeaseOperations leases;
    private final ServerCallStreamObserver<SessionResponse> observer;

    private @Nullable Key anchor;
    private @Nullable CompletableFuture<CallerAnchors.Place> resumedAt;
    private @Nullable Token token;
    private @Nullable CompletableFuture<Answer> opening;
    private boolean open;
    private boolean renewing;
    private long unrenewed;
    private boolean over;
    private Runnable leave = () -> {};

    GrpcSessionStream(
            ServiceRequestContext ctx,
            ServerComponents parts,
            CallerAnchors anchors,
            LeaseOperations leases,
            StreamObserver<SessionResponse> observer) {
        this.ctx = ctx;
        this.parts = parts;
        this.anchors = anchors;
        this.leases = leases;
        this.observer = (ServerCallStreamObserver<SessionResponse>) observer;
        this.observer.setOnCancelHandler(this::broken);
    }

    @Override
    public void onNext(SessionRequest request) {
        try {
            take(request);
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void take(SessionRequest request) {
        if (over) {
            return;
        }
        switch (request.getMessageCase()) {
            case OPEN -> open(request.getOpen());
            case HEARTBEAT -> heartbeat(request.getHeartbeat().getNumber());
            case CLOSE -> close();
            case MESSAGE_NOT_SET -> throw ArgumentCheck.bad("message", "none", "open, heartbeat or close");
        }
    }

    private void open(SessionRequest.Open request) {
        if (anchor != null) {
            throw ArgumentCheck.bad("open", request.getHolder(), "once, as the first message");
        }
        Holder holder = Holder.of(request.getHolder());
        Key key = Key.ofAnchor(holder);
        parts.guard().require(ctx, Access.LEASE, key.namespace());
        Token proof = Token.parse(request.getToken());
        Term term = Term.of(TimeMessages.duration("term", request.getTerm()));
        Duration wait = request.hasWait() ? TimeMessages.duration("wait", request.getWait()) : patience(term);
        Runnable unregister = parts.drain().onBegin(() -> ctx.eventLoop().execute(this::goAway));
        leave = unregister;
        Runnable leaveSessions = parts.admission().session(ctx);
        leave = () -> {
            unregister.run();
            leaveSessions.run();
        };
        anchor = key;
        token = proof;
        long number = request.getNumber();
        if (request.getResume()) {
            CompletableFuture<CallerAnchors.Place> found = anchors.find(ctx, key, proof);
            resumedAt = found;
            onResult(
                    Futures.chain(
                            found,
                            at -> leases.written(
                                    at.key(), new LeaseRequest.Renew(proof, term, at.marked(AttributePatch.NONE)))),
                    entry -> opened(number, entry));
        } else {
            LeaseRequest.Acquire ask = new LeaseRequest.Acquire(proof, holder, term, AttributePatch.NONE, null);
            CompletableFuture<Answer> pending = leases.grantAnchor(ctx, key, ask, RequestChecks.waitNanos(wait));
            opening = pending;
            onResult(pending, outcome -> granted(number, outcome));
        }
    }

    /**
     * How long to wait for an anchor with the same name: if its holder has just died, its term and the margin must
     * pass. If the holder is alive, waiting longer is pointless.
     */
    private static Duration patience(Term term) {
        return term.duration().multipliedBy(2).plusSeconds(1);
    }

    private void granted(long number, Answer outcome) {
        opening = null;
        if (outcome instanceof Answer.Applied granted) {
            if (over) {
                parts.releaseUndelivered(granted);
            } else {
                opened(number, Objects.requireNonNull(granted.entry()));
            }
        } else if (((Answer.Refused) outcome).refusal() instanceof Decision.Held held) {
            end(SessionResponse.newBuilder().setHeld(LeaseOperations.held(held)));
        } else {
            fail(new IllegalStateException("an anchor is never done"));
        }
    }

    private void opened(long number, Entry entry) {
        if (over) {
            return;
        }
        open = true;
        anchor = entry.key();
        observer.onNext(SessionResponse.newBuilder()
                .setOpened(
                        SessionResponse.Opened.newBuilder().setNumber(number).setGranted(StatusMessages.granted(entry)))
                .build());
        renewIfRequested();
    }

    private void heartbeat(long number) {
        if (anchor == null) {
            throw ArgumentCheck.bad("heartbeat", number, "an open first");
        }
        if (number == 0) {
            throw ArgumentCheck.bad("heartbeat", number, "a number other than 0");
        }
        // Checked each time: a session may outlive its caller's permission.
        parts.guard().require(ctx, Access.LEASE, anchor.namespace());
        unrenewed = number;
        renewIfRequested();
    }

    private void renewIfRequested() {
        if (!open || renewing || over || unrenewed == 0) {
            return;
        }
        long number = unrenewed;
        unrenewed = 0;
        renewing = true;
        LeaseRequest.Renew renewal = new LeaseRequest.Renew(token(), null, AttributePatch.NONE);
        Futures.whenDone(
                Futures.contain(() -> leases.written(anchor(), renewal)),
                (entry, error) -> ctx.eventLoop().execute(() -> renewed(number, entry, error)));
    }

    private void renewed(long number, @Nullable Entry entry, @Nullable Throwable error) {
        renewing = false;
        if (over) {
            return;
        }
        if (entry != null && entry.grant() != null) {
            observer.onNext(SessionResponse.newBuilder()
                    .setAcknowledged(SessionResponse.Acknowledged.newBuilder()
                            .setNumber(number)
                            .setTerm(TimeMessages.wire(entry.grant().term().duration())))
                    .build());
        } else if (error != null && Futures.cause(error) instanceof LeaseLostException lost) {
            lost(lost);
            return;
        } else {
            observer.onNext(SessionResponse.newBuilder()
                    .setFailed(SessionResponse.Failed.newBuilder()
                            .setNumber(number)
                            .setStatus(WireErrors.status(error)))
                    .build());
        }
        renewIfRequested();
    }

    private void lost(LeaseLostException lost) {
        end(SessionResponse.newBuilder()
                .setLost(SessionResponse.Lost.newBuilder().setReason(StatusMessages.wire(lost.reason()))));
    }

    private void close() {
        if (anchor == null) {
            throw ArgumentCheck.bad("close", "first", "an open first");
        }
        boolean wasOpen = open;
        open = false;
        if (opening != null) {
            opening.cancel(false);
            end(SessionResponse.newBuilder().setClosed(SessionResponse.Closed.getDefaultInstance()));
            return;
        }
        // The anchor of a resumed session that is not open yet is at the place being looked up.
        CompletionStage<Key> at = resumedAt == null || wasOpen
                ? CompletableFuture.completedFuture(anchor())
                : resumedAt.thenApply(CallerAnchors.Place::key);
        onResult(
                at.thenCompose(key -> parts.leases().release(key, token())),
                released -> end(SessionResponse.newBuilder()
                        .setClosed(SessionResponse.Closed.newBuilder().setReleased(released))));
    }

    private void goAway() {
        if (opening != null) {
            opening.cancel(false);
            fail(ServerDrain.ending()); // The client can wait for an anchor at another server.
        } else if (!over) {
            observer.onNext(SessionResponse.newBuilder()
                    .setGoAway(SessionResponse.GoAway.getDefaultInstance())
                    .build());
        }
    }

    @Override
    public void onError(Throwable error) {
        broken();
    }

    /** Handles a stream that ended without a close. The client will resume the session or is dead; its term decides. */
    @Override
    public void onCompleted() {
        if (!over) {
            broken();
            observer.onCompleted();
        }
    }

    private void broken() {
        over = true;
        leave.run();
        if (opening != null) {
            opening.cancel(false);
        }
    }

    private <T> void onResult(CompletionStage<T> stage, Consumer<T> then) {
        Futures.whenDone(
                stage,
                (value, error) -> ctx.eventLoop().execute(() -> {
                    if (value != null) {
                        then.accept(value);
                    } else if (WireErrors.cause(error) instanceof LeaseLostException lost) {
                        lost(lost);
                    } else {
                        fail(WireErrors.cause(error));
                    }
                }));
    }

    private void end(SessionResponse.Builder last) {
        if (!over) {
            over = true;
            leave.run();
            observer.onNext(last.build());
            observer.onCompleted();
        }
    }

    private void fail(Throwable error) {
        if (!over) {
            over = true;
            leave.run();
            observer.onError(WireErrors.of(error));
        }
    }

    private Key anchor() {
        return Objects.requireNonNull(anchor);
    }

    private Token token() {
        return Objects.requireNonNull(token);
    }
}
