package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets everybody in, and knows how many wait. */
final class CountingAdmission implements StreamAdmission {
    private final AtomicInteger waiting = new AtomicInteger();

    int waiting() {
        return waiting.get();
    }

    /** Waits until so many wait at the server. */
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
