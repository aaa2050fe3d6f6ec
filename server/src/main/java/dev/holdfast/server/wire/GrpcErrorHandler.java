package dev.holdfast.server.wire;

import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.grpc.GrpcExceptionHandlerFunction;
import com.linecorp.armeria.server.RequestTimeoutException;
import dev.holdfast.internal.Futures;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;

/** The status of a gRPC call that ended by an exception outside of its service. What is a bug is logged. */
public final class GrpcErrorHandler implements GrpcExceptionHandlerFunction {
    @Override
    public Status apply(RequestContext ctx, Status status, Throwable error, Metadata metadata) {
        Throwable cause = Futures.cause(error);
        boolean isKnown = cause instanceof StatusRuntimeException
                || cause instanceof StatusException
                || cause instanceof RequestTimeoutException
                || status.getCode() != Status.Code.UNKNOWN;
        if (isKnown || WireErrors.isOrdinaryEnd(cause)) {
            return status;
        }
        StatusRuntimeException told = WireErrors.of(cause);
        if (told.getTrailers() != null) {
            metadata.merge(told.getTrailers());
        }
        return told.getStatus();
    }
}
