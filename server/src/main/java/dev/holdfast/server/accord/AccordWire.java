package dev.holdfast.server.accord;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.server.EarlyDispatch;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.server.ServerExtension;
import dev.holdfast.server.limits.ServerLimits;
import dev.holdfast.server.wire.GrpcErrorHandler;
import java.time.Duration;

/** An extension that adds accord's protocol to a server. */
public final class AccordWire implements ServerExtension {
    /** How long a client may take to read one page of a list. */
    private static final Duration LIST_PATIENCE = Duration.ofSeconds(10);

    private static final String LIST = "/" + V1Grpc.getListMethod().getFullMethodName();

    private final Duration listPatience;

    public AccordWire() {
        this(LIST_PATIENCE);
    }

    AccordWire(Duration listPatience) {
        this.listPatience = listPatience;
    }

    @Override
    public void extend(ServerBuilder server, ServerComponents parts) {
        GrpcService service = GrpcService.builder()
                .addService(new AccordService(parts, listPatience))
                .maxRequestMessageLength(ServerLimits.DEFAULT.messageBytes())
                .exceptionHandler(new GrpcErrorHandler())
                .build();
        server.service(
                service,
                inner -> new EarlyDispatch(inner.decorate((wire, ctx, request) -> {
                    HttpResponse response = wire.serve(ctx, request);
                    return ctx.path().equals(LIST) ? MergedResponse.of(ctx, response) : response;
                })));
    }
}
