package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * Limits and counts the requests that come many to a stream, each as a request of its own, as decorators do with those
 * that come alone. Thread-safe; never blocks.
 */
public interface RequestGate {
    /** Lets everybody through, and counts nobody. */
    RequestGate OPEN = (ctx, path) -> Passing.NONE;

    /**
     * Lets one through.
     *
     * @param ctx that of the stream
     * @param path the one that the same request has when it comes alone
     * @throws StatusRuntimeException if too many are under way
     */
    Passing enter(ServiceRequestContext ctx, String path);

    /** One that was let through. */
    interface Passing {
        /** Of what is not counted. */
        Passing NONE = status -> {};

        /** It is over, once. */
        void leave(Status.Code status);
    }
}
