package dev.holdfast.server.calls;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.function.Consumer;

/**
 * The limits and the count of requests that arrive on a call stream. Each is treated as a request of its own, just as
 * decorators treat requests that arrive alone. Thread-safe; never blocks.
 */
public interface RequestGate {
    /** Admits every request, and counts none. */
    RequestGate OPEN = (ctx, path) -> status -> {};

    /**
     * Admits one request.
     *
     * @param ctx the context of the stream
     * @param path the path that the same request has when it arrives alone
     * @return called once, with the status of the request when it has ended
     * @throws StatusRuntimeException if too many requests are running
     */
    Consumer<Status.Code> enter(ServiceRequestContext ctx, String path);
}
