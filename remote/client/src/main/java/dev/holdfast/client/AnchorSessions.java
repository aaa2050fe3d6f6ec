package dev.holdfast.client;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.client.link.GrpcLink;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The anchors of a client, each with a stream that carries its heartbeats. The stream is only an optimization. If it
 * breaks, the anchor is renewed by a call like any lease, at any server, and its next heartbeat opens another stream.
 *
 * <p>Thread-safe.
 */
final class AnchorSessions {
    private final RemoteContext remoteContext;
    private final Map<AnchorRef, Anchored> anchors = new ConcurrentHashMap<>();

    AnchorSessions(RemoteContext remoteContext) {
        this.remoteContext = remoteContext;
    }

    /** A granted anchor, and its stream if it has one. */
    private static final class Anchored {
        private final Entry entry;
        private final Token token;
        private @Nullable AnchorSession anchorSession;

        Anchored(Entry entry, Token token) {
            this.entry = entry;
            this.token = token;
        }
    }

    /** Keeps the token of a granted anchor, which requests under that anchor must send. */
    void granted(Entry entry, Token token) {
        // An earlier anchor of this name has ended. Otherwise this one would not have been granted.
        anchors.keySet()
                .removeIf(before ->
                        before.key().equals(entry.key()) && !before.fence().equals(entry.fence()));
        anchors.put(new AnchorRef(entry.key(), entry.fence()), new Anchored(entry, token));
    }

    @Nullable
    Token token(AnchorRef anchor) {
        Anchored anchored = anchors.get(anchor);
        return anchored == null ? null : anchored.token;
    }

    /**
     * Renews by a heartbeat, if the key is an anchor. A heartbeat that is not acknowledged in time is followed by a
     * call, which any server may serve.
     */
    CompletableFuture<Answer> renew(Key key, LeaseRequest.Renew renewal, Supplier<CompletableFuture<Answer>> call) {
        CompletableFuture<Answer> heartbeat = key.isAnchor() ? heartbeat(key, renewal) : null;
        if (heartbeat == null) {
            return call.get();
        }
        CompletableFuture<Answer> result = new CompletableFuture<>();
        Runnable unregister = remoteContext.onClose(heartbeat::completeExceptionally);
        HostEnvironment.Timer timer = remoteContext
                .runtime()
                .schedule(
                        remoteContext.attemptTimeout(),
                        () -> heartbeat.completeExceptionally(StoreException.unknown("no acknowledgement", null)));
        Futures.whenDone(heartbeat, (answered, error) -> {
            timer.cancel();
            Futures.whenDone(answered != null ? heartbeat : Futures.contain(call), (answer, failure) -> {
                if (answer != null) {
                    result.complete(answer);
                } else {
                    result.completeExceptionally(Futures.cause(Objects.requireNonNull(failure)));
                }
            });
            unregister.run();
        });
        return result;
    }

    /**
     * Sends a heartbeat. Returns null if this is not a plain renewal of an anchor, or there is no link that supports
     * streams.
     */
    private @Nullable CompletableFuture<Answer> heartbeat(Key key, LeaseRequest.Renew renewal) {
        boolean plain = renewal.term() == null && renewal.attributes().equals(AttributePatch.NONE);
        if (!plain || !(remoteContext.links().current() instanceof GrpcLink link)) {
            return null;
        }
        for (Anchored anchored : anchors.values()) {
            if (anchored.token.equals(renewal.token()) && anchored.entry.key().equals(key)) {
                CompletableFuture<Answer> answer = session(anchored, link).heartbeat();
                Futures.whenDone(answer, (answered, error) -> {
                    if (answered instanceof Answer.Refused) {
                        ended(key, renewal.token());
                    }
                });
                return answer;
            }
        }
        return null;
    }

    private AnchorSession session(Anchored anchored, GrpcLink link) {
        synchronized (anchored) {
            AnchorSession anchorSession = anchored.anchorSession;
            if (anchorSession == null || !anchorSession.isOpenOn(link)) {
                if (anchorSession != null) {
                    anchorSession.close();
                }
                anchorSession = new AnchorSession(remoteContext, link, anchored.entry, anchored.token);
                anchored.anchorSession = anchorSession;
            }
            return anchorSession;
        }
    }

    /** Removes an anchor that was released or lost. */
    void ended(Key key, Token token) {
        anchors.values().removeIf(anchored -> {
            boolean matches =
                    anchored.token.equals(token) && anchored.entry.key().equals(key);
            if (matches) {
                synchronized (anchored) {
                    if (anchored.anchorSession != null) {
                        anchored.anchorSession.close();
                    }
                }
            }
            return matches;
        });
    }

    void close() {
        anchors.values().forEach(anchored -> ended(anchored.entry.key(), anchored.token));
    }
}
