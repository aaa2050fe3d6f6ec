package dev.holdfast.server;

import dev.holdfast.server.wire.WireErrors;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a server, in good order: from its beginning on nothing that takes long is begun, and what would go on is
 * told to go elsewhere. Thread-safe.
 */
public final class ServerDrain {
    private static final Logger log = LoggerFactory.getLogger(ServerDrain.class);

    private final Map<Object, Runnable> goers = new LinkedHashMap<>();
    private boolean begun;

    /** @throws StatusRuntimeException if the server is about to end */
    public synchronized void refuseIfBegun() {
        if (begun) {
            throw ending();
        }
    }

    /** Tells callers to go elsewhere. */
    public static StatusRuntimeException ending() {
        return StatusProto.toStatusRuntimeException(
                WireErrors.unavailable("DRAINING", "the server is about to end; ask another, or again later"));
    }

    /**
     * Has {@code goAway} called when the server is about to end.
     *
     * @return ends that; idempotent
     * @throws StatusRuntimeException if the server is about to end
     */
    public synchronized Runnable onBegin(Runnable goAway) {
        refuseIfBegun();
        Object place = new Object();
        goers.put(place, goAway);
        return () -> forget(place);
    }

    private synchronized void forget(Object place) {
        goers.remove(place);
    }

    public synchronized boolean hasBegun() {
        return begun;
    }

    void begin() {
        List<Runnable> told;
        synchronized (this) {
            begun = true;
            told = List.copyOf(goers.values());
            goers.clear();
        }
        told.forEach(ServerDrain::tell);
    }

    /** A request that cannot be notified must not prevent the notification of others. */
    private static void tell(Runnable goAway) {
        try {
            goAway.run();
        } catch (RuntimeException | Error e) {
            log.error("a request was not notified that the server is about to end; this is a bug in Holdfast", e);
        }
    }
}
