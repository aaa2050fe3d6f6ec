package dev.holdfast.server.extension;

import dev.holdfast.server.wire.WireErrors;
import io.grpc.StatusRuntimeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The graceful shutdown of a server. Once it has begun, the server starts no long request, and notifies the long
 * requests that are running to move to another server. Thread-safe.
 */
public final class ServerDrain {
    private static final Logger log = LoggerFactory.getLogger(ServerDrain.class);

    private final Map<Object, Runnable> registered = new LinkedHashMap<>();
    private boolean begun;

    /** @throws StatusRuntimeException if the server is shutting down */
    public synchronized void refuseIfBegun() {
        if (begun) {
            throw ending();
        }
    }

    /** The error that sends callers to another server. */
    public static StatusRuntimeException ending() {
        return WireErrors.unavailable("DRAINING", "the server is shutting down; retry later, or use another server");
    }

    /**
     * Registers {@code goAway}, which is called when the server begins to shut down.
     *
     * @return removes the registration; idempotent
     * @throws StatusRuntimeException if the server is shutting down
     */
    public synchronized Runnable onBegin(Runnable goAway) {
        refuseIfBegun();
        Object place = new Object();
        registered.put(place, goAway);
        return () -> unregister(place);
    }

    private synchronized void unregister(Object place) {
        registered.remove(place);
    }

    public synchronized boolean hasBegun() {
        return begun;
    }

    public void begin() {
        List<Runnable> notified;
        synchronized (this) {
            begun = true;
            notified = List.copyOf(registered.values());
            registered.clear();
        }
        notified.forEach(ServerDrain::notifyOne);
    }

    /** A request that cannot be notified must not prevent the notification of others. */
    private static void notifyOne(Runnable goAway) {
        try {
            goAway.run();
        } catch (RuntimeException | Error e) {
            log.error("a request was not notified that the server is shutting down; this is a bug in Holdfast", e);
        }
    }
}
