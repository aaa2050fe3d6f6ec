package dev.holdfast.client.link;

import dev.holdfast.StoreException;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.SessionRequest;
import dev.holdfast.proto.v1.SessionResponse;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.wire.OutcomeMessages;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
public final class AnchorStream implements StreamObserver<SessionResponse> {
    private final RemoteContext context;
    private final GrpcServerLink link;
    private final SessionRequest.Open opening;
    private final TreeMap<Long, Heartbeat> pending = new TreeMap<>();
    private final StreamObserver<SessionRequest> requests;
    private long last;
    private boolean ended;

    /** @param opening the content of the first heartbeat, without its number */
    public AnchorStream(RemoteContext context, GrpcServerLink link, SessionRequest.Open opening) {
        this.context = context;
        this.link = link;
        this.opening = opening;
        this.requests = LeasesGrpc.newStub(link.channel()).session(this);
    }

    private record Heartbeat(ClockReading sent, CompletableFuture<ServerReply<SessionResponse>> reply) {}

    /** Returns whether a heartbeat can be sent on this stream, and the stream belongs to the {@code current} link. */
    public synchronized boolean isOpenOn(GrpcServerLink current) {
        return !ended && link == current;
    }

    /**
     * Sends a heartbeat. Its future fails if the stream breaks or the server could not write. Then it is unknown
     * whether the anchor was renewed.
     */
    public synchronized CompletableFuture<ServerReply<SessionResponse>> heartbeat() {
        CompletableFuture<ServerReply<SessionResponse>> reply = new CompletableFuture<>();
        if (ended) {
            reply.completeExceptionally(broken("the stream has ended", null));
            return reply;
        }
        long number = ++last;
        pending.put(number, new Heartbeat(context.reading(), reply));
        try {
            requests.onNext(message(number));
        } catch (IllegalStateException e) {
            pending.remove(number);
            ended = true;
            reply.completeExceptionally(broken("the stream has ended", e));
        }
        return reply;
    }

    private SessionRequest message(long number) {
        SessionRequest.Builder message = SessionRequest.newBuilder();
        return number == 1
                ? message.setOpen(opening.toBuilder().setNumber(number)).build()
                : message.setHeartbeat(SessionRequest.Heartbeat.newBuilder().setNumber(number))
                        .build();
    }

    @Override
    public void onNext(SessionResponse response) {
        switch (response.getMessageCase()) {
            case OPENED -> acknowledged(response.getOpened().getNumber(), response);
            case ACKNOWLEDGED -> acknowledged(response.getAcknowledged().getNumber(), response);
            case LOST -> lost(response.getLost());
            case FAILED ->
                failed(
                        take(response.getFailed().getNumber()),
                        broken(response.getFailed().getStatus().getMessage(), null));
            case GO_AWAY -> {
                context.links().leave(link);
                close();
            }
            case HELD, CLOSED, MESSAGE_NOT_SET -> onError(broken("unexpected response", null));
        }
    }

    private void acknowledged(long number, SessionResponse response) {
        List<Heartbeat> renewed = take(number);
        // Counts from the last of the acknowledged heartbeats: the server's write began after all of them had arrived.
        if (!renewed.isEmpty()) {
            ClockReading sent = renewed.get(renewed.size() - 1).sent();
            complete(renewed, new ServerReply<>(response, null, sent, context.reading()));
        }
    }

    private void lost(SessionResponse.Lost lost) {
        ClockReading now = context.reading();
        complete(takeAll(), new ServerReply<>(null, OutcomeMessages.reason(lost.getReason()), now, now));
    }

    private static void complete(List<Heartbeat> heartbeats, ServerReply<SessionResponse> reply) {
        CallbackThread.run(
                () -> heartbeats.forEach(heartbeat -> heartbeat.reply().complete(reply)));
    }

    private static void failed(List<Heartbeat> heartbeats, StoreException failure) {
        CallbackThread.run(
                () -> heartbeats.forEach(heartbeat -> heartbeat.reply().completeExceptionally(failure)));
    }

    private synchronized List<Heartbeat> take(long number) {
        Map<Long, Heartbeat> upTo = pending.headMap(number, true);
        List<Heartbeat> taken = new ArrayList<>(upTo.values());
        upTo.clear();
        return taken;
    }

    @Override
    public void onError(Throwable error) {
        failed(takeAll(), broken("the stream broke: " + error.getMessage(), error));
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
    public void close() {
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
