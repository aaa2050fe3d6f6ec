package dev.holdfast.server.grpc;

import dev.holdfast.server.wire.WireErrors;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.grpc.GrpcExceptionHandlerFunction;
import com.linecorp.armeria.server.RequestTimeoutException;
import dev.holdfast.support.Futures;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;

/**
 * The mapping from an exception outside of a gRPC service to the status of the call. Unexpected exceptions are logged
 * as bugs.
 */
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
        StatusRuntimeException mapped = WireErrors.of(cause);
        if (mapped.getTrailers() != null) {
            metadata.merge(mapped.getTrailers());
        }
        return mapped.getStatus();
    }
}
