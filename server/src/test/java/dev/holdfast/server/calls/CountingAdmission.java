package dev.holdfast.server.calls;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import dev.holdfast.server.Eventually;
import java.util.concurrent.atomic.AtomicInteger;

/** An admission that accepts every request and counts the waiting ones. */
public final class CountingAdmission implements StreamAdmission {
    private final AtomicInteger waiting = new AtomicInteger();

    public int waiting() {
        return waiting.get();
    }

    /** Blocks until {@code count} requests wait at the server. */
    public void untilWaiting(int count) {
        Eventually.until(() -> waiting.get() == count);
    }

    @Override
    public Runnable wait(ServiceRequestContext ctx, Key key) {
        waiting.incrementAndGet();
        return waiting::decrementAndGet;
    }
}
