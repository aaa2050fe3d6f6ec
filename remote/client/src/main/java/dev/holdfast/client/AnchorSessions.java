package dev.holdfast.client;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.client.link.AnchorStream;
import dev.holdfast.client.link.GrpcServerLink;
import dev.holdfast.client.link.RemoteContext;
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
    private final RemoteContext context;
    private final Map<AnchorRef, Anchored> anchors = new ConcurrentHashMap<>();

    AnchorSessions(RemoteContext context) {
        this.context = context;
    }

    /** A granted anchor, and its stream if it has one. */
    private static final class Anchored {
        private final Entry entry;
        private final Token token;
        private @Nullable AnchorStream stream;

        Anchored(Entry entry, Token token) {
            this.entry = entry;
            this.token = token;
        }

        boolean matches(Key key, Token ofRequest) {
            return token.equals(ofRequest) && entry.key().equals(key);
        }
    }

    /** Keeps the token of a granted anchor, which requests under that anchor must send. */
    void granted(@Nullable Entry entry) {
        if (entry == null || !entry.key().isAnchor() || entry.grant() == null) {
            return;
        }
        // An earlier anchor of this name has ended. Otherwise this one would not have been granted.
        anchors.keySet()
                .removeIf(before ->
                        before.key().equals(entry.key()) && !before.fence().equals(entry.fence()));
        anchors.put(
                new AnchorRef(entry.key(), entry.fence()),
                new Anchored(entry, entry.grant().token()));
    }

    @Nullable
    Token token(@Nullable AnchorRef anchor) {
        Anchored anchored = anchor == null ? null : anchors.get(anchor);
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
        Runnable unregister = context.onClose(heartbeat::completeExceptionally);
        HostEnvironment.Timer timer = context.environment()
                .schedule(
                        context.attemptTimeout(),
                        () -> heartbeat.completeExceptionally(StoreException.unknown("no acknowledgement", null)));
        CompletableFuture<Answer> result = new CompletableFuture<>();
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
        if (!plain || !(context.links().current() instanceof GrpcServerLink link)) {
            return null;
        }
        for (Anchored anchored : anchors.values()) {
            if (anchored.matches(key, renewal.token())) {
                return Futures.claim(
                        stream(anchored, link).heartbeat(),
                        reply -> {
                            if (reply.lost() != null) {
                                ended(key, renewal.token());
                            }
                            return LeaseCalls.answer(reply, renewed -> LeaseCalls.applied(renewed, anchored.entry));
                        },
                        unwanted -> {});
            }
        }
        return null;
    }

    private AnchorStream stream(Anchored anchored, GrpcServerLink link) {
        synchronized (anchored) {
            AnchorStream stream = anchored.stream;
            if (stream == null || !stream.isOpenOn(link)) {
                if (stream != null) {
                    stream.close();
                }
                stream = new AnchorStream(context, link, RequestMessages.session(anchored.entry, anchored.token));
                anchored.stream = stream;
            }
            return stream;
        }
    }

    /** Removes an anchor that was released or lost. */
    void ended(Key key, Token token) {
        anchors.values().removeIf(anchored -> {
            boolean matches = anchored.matches(key, token);
            if (matches) {
                synchronized (anchored) {
                    if (anchored.stream != null) {
                        anchored.stream.close();
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
