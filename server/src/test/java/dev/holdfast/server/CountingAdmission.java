package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import java.util.concurrent.atomic.AtomicInteger;

/** An admission that accepts every request and counts the waiting ones. */
final class CountingAdmission implements StreamAdmission {
    private final AtomicInteger waiting = new AtomicInteger();

    int waiting() {
        return waiting.get();
    }

    /** Blocks until {@code count} requests wait at the server. */
    void untilWaiting(int count) {
        Eventually.until(() -> waiting.get() == count);
    }

    @Override
    public Place wait(ServiceRequestContext ctx, Key key) {
        waiting.incrementAndGet();
        return waiting::decrementAndGet;
    }

    @Override
    public Place watch(ServiceRequestContext ctx, String prefix) {
        return () -> {};
    }

    @Override
    public Place session(ServiceRequestContext ctx, Key anchor) {
        return () -> {};
    }
}
