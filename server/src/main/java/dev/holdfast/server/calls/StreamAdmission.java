package dev.holdfast.server.calls;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.Key;
import io.grpc.StatusRuntimeException;

/**
 * The limits on the number of waits, watches and sessions. The returned action is run when the admitted request has
 * ended; only its first run counts. Thread-safe; never blocks.
 */
public interface StreamAdmission {
    /** Admits every request. */
    StreamAdmission OPEN = new StreamAdmission() {};

    /** @throws StatusRuntimeException if the limit of waits is reached */
    default Runnable wait(ServiceRequestContext ctx, Key key) {
        return () -> {};
    }

    /** @throws StatusRuntimeException if the limit of watches is reached */
    default Runnable watch(ServiceRequestContext ctx) {
        return () -> {};
    }

    /** @throws StatusRuntimeException if the limit of sessions is reached */
    default Runnable session(ServiceRequestContext ctx) {
        return () -> {};
    }
}
