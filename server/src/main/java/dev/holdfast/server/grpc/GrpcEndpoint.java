package dev.holdfast.server.grpc;

import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.extension.ServerProtocol;
import dev.holdfast.server.limits.ServerLimits;
import dev.holdfast.server.wire.LongRequests;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.support.Futures;
import io.grpc.Metadata;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;

/** The gRPC services on the port of a server. All have the same size limit and the same mapping of errors. */
public final class GrpcEndpoint {
    private GrpcEndpoint() {}

    private static GrpcServiceBuilder builder() {
        return GrpcService.builder()
                .maxRequestMessageLength(ServerLimits.MESSAGE_BYTES)
                .exceptionHandler(GrpcEndpoint::status);
    }

    /** Adds Holdfast's own service, and gRPC's reflection of it. */
    public static void add(ServerBuilder server, ServerServiceDefinition leases) {
        GrpcService service = builder()
                .addService(leases)
                .addService(ProtoReflectionServiceV1.newInstance())
                .build();
        server.service(service, EarlyDispatch::new);
    }

    /** Adds another protocol. */
    public static void add(ServerBuilder server, ServerProtocol protocol, ServedLeases leases) {
        GrpcService service = builder().addService(protocol.service(leases)).build();
        server.service(
                service,
                inner -> new EarlyDispatch(inner.decorate((wire, ctx, request) -> {
                    if (!protocol.isStream(ctx.path())) {
                        return wire.serve(ctx, request);
                    }
                    LongRequests.onRevoked(ctx, ctx::cancel);
                    return protocol.stream(ctx, wire.serve(ctx, request));
                })));
    }

    /** The status for an exception outside of a service. Unexpected exceptions are logged as bugs. */
    private static Status status(RequestContext ctx, Status status, Throwable error, Metadata metadata) {
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
