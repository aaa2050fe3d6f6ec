package dev.holdfast.client;

import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.client.link.GrpcLink;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.SessionRequest;
import dev.holdfast.proto.v1.SessionResponse;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.Decision;
import dev.holdfast.service.Answer;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.wire.OutcomeMessages;
import dev.holdfast.wire.TimeMessages;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One stream that renews an anchor. Its first heartbeat opens it. An acknowledgement covers its heartbeat and all
 * earlier ones. The holder counts the term from when <em>that</em> heartbeat was sent, not from a later one still in
 * flight.
 *
 * <p>Thread-safe. The lock orders the sent messages and guards the fields. No future is completed while it is held.
 */
final class AnchorSession implements StreamObserver<SessionResponse> {
    private final RemoteContext remoteContext;
    private final GrpcLink link;
    private final Entry anchor;
    private final Token token;
    private final TreeMap<Long, Heartbeat> pending = new TreeMap<>();
    private final StreamObserver<SessionRequest> requests;
    private long last;
    private boolean ended;

    AnchorSession(RemoteContext remoteContext, GrpcLink link, Entry anchor, Token token) {
        this.remoteContext = remoteContext;
        this.link = link;
        this.anchor = anchor;
        this.token = token;
        this.requests = LeasesGrpc.newStub(link.channel()).session(this);
    }

    private record Heartbeat(ClockReading sent, CompletableFuture<Answer> answer) {}

    /** Returns whether a heartbeat can be sent on this stream, and the stream belongs to the {@code current} link. */
    synchronized boolean isOpenOn(GrpcLink current) {
        return !ended && link == current;
    }

    /**
     * Sends a heartbeat. Its future fails if the stream breaks or the server could not write. Then it is unknown
     * whether the anchor was renewed.
     */
    synchronized CompletableFuture<Answer> heartbeat() {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        if (ended) {
            answer.completeExceptionally(broken("the stream has ended", null));
            return answer;
        }
        long number = ++last;
        pending.put(number, new Heartbeat(remoteContext.reading(), answer));
        try {
            requests.onNext(number == 1 ? open(number) : beat(number));
        } catch (IllegalStateException e) {
            pending.remove(number);
            ended = true;
            answer.completeExceptionally(broken("the stream has ended", e));
        }
        return answer;
    }

    private SessionRequest open(long number) {
        Grant grant = Objects.requireNonNull(anchor.grant());
        return SessionRequest.newBuilder()
                .setOpen(SessionRequest.Open.newBuilder()
                        .setHolder(grant.holder().name())
                        .setTerm(TimeMessages.wire(grant.term().duration()))
                        .setToken(token.secret())
                        .setResume(true)
                        .setNumber(number))
                .build();
    }

    private static SessionRequest beat(long number) {
        return SessionRequest.newBuilder()
                .setHeartbeat(SessionRequest.Heartbeat.newBuilder().setNumber(number))
                .build();
    }

    @Override
    public void onNext(SessionResponse response) {
        switch (response.getMessageCase()) {
            case OPENED -> acknowledged(response.getOpened().getNumber());
            case ACKNOWLEDGED -> acknowledged(response.getAcknowledged().getNumber());
            case LOST ->
                end(new Answer.Refused(
                        new Decision.Lost(
                                OutcomeMessages.reason(response.getLost().getReason())),
                        0,
                        remoteContext.runtime().nanos()));
            case FAILED ->
                failed(
                        response.getFailed().getNumber(),
                        broken(response.getFailed().getStatus().getMessage(), null));
            case GO_AWAY -> {
                remoteContext.links().leave(link);
                close();
            }
            case HELD, CLOSED, MESSAGE_NOT_SET -> onError(broken("unexpected response", null));
        }
    }

    private void acknowledged(long number) {
        List<Heartbeat> renewed = take(number);
        ClockReading now = remoteContext.reading();
        // Counts from the last of the acknowledged heartbeats: the server's write began after all of them had arrived.
        if (!renewed.isEmpty()) {
            ClockReading sent = renewed.get(renewed.size() - 1).sent();
            Answer answer = new Answer.Applied(anchor, sent, sent, now);
            CallbackThread.run(() -> renewed.forEach(beat -> beat.answer().complete(answer)));
        }
    }

    private void failed(long number, StoreException failure) {
        List<Heartbeat> failed = take(number);
        CallbackThread.run(() -> failed.forEach(beat -> beat.answer().completeExceptionally(failure)));
    }

    private synchronized List<Heartbeat> take(long number) {
        Map<Long, Heartbeat> upTo = pending.headMap(number, true);
        List<Heartbeat> taken = new ArrayList<>(upTo.values());
        upTo.clear();
        return taken;
    }

    private void end(Answer answer) {
        List<Heartbeat> remaining = takeAll();
        CallbackThread.run(() -> remaining.forEach(beat -> beat.answer().complete(answer)));
    }

    @Override
    public void onError(Throwable error) {
        List<Heartbeat> remaining = takeAll();
        StoreException failure = broken("the stream broke: " + error.getMessage(), error);
        CallbackThread.run(() -> remaining.forEach(beat -> beat.answer().completeExceptionally(failure)));
    }

    @Override
    public void onCompleted() {
        onError(broken("the server ended the stream", null));
    }

    private synchronized List<Heartbeat> takeAll() {
        ended = true;
        return take(Long.MAX_VALUE);
    }

    /** Ends the stream, but not the anchor. */
    void close() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = pending.isEmpty();
            if (!ended) {
                return; // Heartbeats in flight may still be acknowledged; the next heartbeat goes to another server.
            }
        }
        requests.onCompleted();
    }

    private static StoreException broken(String message, @Nullable Throwable cause) {
        return StoreException.unknown(message, cause);
    }
}
