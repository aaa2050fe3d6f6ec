package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * The limits and the count of requests that arrive on a call stream. Each is treated as a request of its own, just as
 * decorators treat requests that arrive alone. Thread-safe; never blocks.
 */
public interface RequestGate {
    /** Admits every request, and counts none. */
    RequestGate OPEN = (ctx, path) -> Passing.NONE;

    /**
     * Admits one request.
     *
     * @param ctx the context of the stream
     * @param path the path that the same request has when it arrives alone
     * @throws StatusRuntimeException if too many requests are running
     */
    Passing enter(ServiceRequestContext ctx, String path);

    /** A request that was admitted. */
    interface Passing {
        /** A request that is not counted. */
        Passing NONE = status -> {};

        /** Reports the end of the request. Called once. */
        void leave(Status.Code status);
    }
}
