package dev.holdfast.server.limits;

import dev.holdfast.server.limits.LimitListener.Limit;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that one request may keep in memory. They are limited per connection, and by fair shares for all clients.
 * Thread-safe.
 */
final class BodyBudget {
    /** After this time, the requests that were running have been answered or cut off. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    static final String TOO_MANY = "too many bytes of requests are waiting to be processed; retry later";

    private static final int USUAL_HEADER_BYTES = 1 << 10;

    private final FairShares all;
    private final Object client;
    private final AtomicLong ofConnection;
    private final long mostOfConnection;
    private final LimitListener limitListener;
    private long taken;
    private long kept;
    private boolean closed;

    BodyBudget(
            FairShares all,
            Object client,
            AtomicLong ofConnection,
            long mostOfConnection,
            LimitListener limitListener) {
        this.all = all;
        this.client = client;
        this.ofConnection = ofConnection;
        this.mostOfConnection = mostOfConnection;
        this.limitListener = limitListener;
    }

    /**
     * Takes the bytes of unusually large headers for the duration of the request; headers of usual size are free.
     *
     * @return false if the limit is exceeded
     */
    synchronized boolean takeHeaders(Iterable<? extends Map.Entry<? extends CharSequence, String>> headers) {
        long bytes = 0;
        for (Map.Entry<? extends CharSequence, String> header : headers) {
            bytes += header.getKey().length() + header.getValue().length();
        }
        int large = (int) Math.max(0, bytes - USUAL_HEADER_BYTES);
        if (large > 0 && !take(large)) {
            return false;
        }
        kept = large;
        return true;
    }

    /**
     * Takes {@code bytes} of the body.
     *
     * @return false if the limit is exceeded
     */
    synchronized boolean take(int bytes) {
        if (closed) {
            return true; // The request has ended, and the rest of its body is dropped.
        }
        if (ofConnection.addAndGet(bytes) > mostOfConnection || !all.take(client, bytes)) {
            ofConnection.addAndGet(-bytes);
            limitListener.on(Limit.BODY_BYTES);
            return false;
        }
        taken += bytes;
        return true;
    }

    /** Releases the bytes of the body so far, which have been processed. */
    synchronized void releaseBody() {
        long body = taken - kept;
        all.leave(client, body);
        ofConnection.addAndGet(-body);
        taken = kept;
    }

    /** Releases everything at the end of the request. */
    synchronized void close() {
        closed = true;
        kept = 0;
        releaseBody();
    }
}
