package dev.holdfast.server.limit;

import dev.holdfast.server.limit.Refused.Limit;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes that one request may keep in memory: limited for its connection, and fairly for all clients. Thread-safe. */
final class BodyBudget {
    /** After this, requests that were under way have been answered, or cut off. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private final FairShares all;
    private final Object client;
    private final AtomicLong ofConnection;
    private final long mostOfConnection;
    private final Refused refused;
    private long taken;
    private boolean closed;

    BodyBudget(FairShares all, Object client, AtomicLong ofConnection, long mostOfConnection, Refused refused) {
        this.all = all;
        this.client = client;
        this.ofConnection = ofConnection;
        this.mostOfConnection = mostOfConnection;
        this.refused = refused;
    }

    /** False if that is too much. */
    synchronized boolean take(int bytes) {
        if (closed) {
            return true; // The request is over, and what still arrives of it is dropped.
        }
        if (ofConnection.addAndGet(bytes) > mostOfConnection || !all.take(client, bytes)) {
            ofConnection.addAndGet(-bytes);
            refused.on(Limit.BODY_BYTES);
            return false;
        }
        taken += bytes;
        return true;
    }

    /** What arrived so far was processed. */
    synchronized void releaseAll() {
        all.leave(client, taken);
        ofConnection.addAndGet(-taken);
        taken = 0;
    }

    /** The request is over. */
    synchronized void close() {
        closed = true;
        releaseAll();
    }
}
