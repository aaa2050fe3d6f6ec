package dev.holdfast.server.operations;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerListener;
import com.linecorp.armeria.server.TransientHttpService;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckService;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckServiceBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.healthcheck.HealthCheckService;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.extension.ServerProtocol;
import dev.holdfast.server.grpc.EarlyDispatch;
import dev.holdfast.server.wire.RequestPaths;
import java.util.List;

/**
 * The health services: {@code /health/live}, {@code /health/ready}, and gRPC's own health service. The latter covers
 * the whole server (the empty name), {@code holdfast.v1.Leases} and the other protocols of the server.
 */
final class HealthServices {
    private HealthServices() {}

    /** Adds the services. Returns the probe that they report on. */
    static StoreProbe add(ServerBuilder server, ServedLeases leases, List<ServerProtocol> protocols) {
        StoreProbe probe = new StoreProbe(leases.leases(), leases.service().environment(), leases.drain()::hasBegun);
        SettableHealthChecker ready = probe.ready();
        GrpcHealthCheckServiceBuilder grpc =
                GrpcHealthCheckService.builder().checkers(ready).serviceCheckers(LeasesGrpc.SERVICE_NAME, ready);
        protocols.forEach(protocol -> grpc.serviceCheckers(protocol.healthName(), ready));
        server.service(RequestPaths.HEALTH_LIVE, (TransientHttpService) (ctx, request) -> live(request.method()))
                .service(
                        RequestPaths.HEALTH_READY,
                        HealthCheckService.builder().checkers(ready).build())
                .service(GrpcService.builder().addService(grpc.build()).build(), EarlyDispatch::new)
                .serverListener(ServerListener.builder()
                        .whenStopping(ending -> probe.close())
                        .build());
        return probe;
    }

    /**
     * The liveness probe: the server is alive as long as it answers at all. It answers until the process ends, because a
     * server that finishes its work must not be killed while doing so.
     */
    private static HttpResponse live(HttpMethod method) {
        return method == HttpMethod.GET || method == HttpMethod.HEAD
                ? HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, "{\"healthy\":true}")
                : HttpResponse.of(HttpStatus.METHOD_NOT_ALLOWED);
    }
}
