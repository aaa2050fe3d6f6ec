package dev.holdfast.server.health;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerListenerAdapter;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckService;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.healthcheck.HealthCheckService;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.ServerExtension;
import dev.holdfast.server.ServerParts;
import dev.holdfast.server.wire.LateReset;

/**
 * {@code /health/live}, {@code /health/ready}, and gRPC's own health service for the whole server (the empty name),
 * {@code holdfast.v1.Leases} and {@code accord}.
 */
public final class Health implements ServerExtension {
    private static final String LIVE = "/health/live";
    private static final String READY = "/health/ready";
    private static final String GRPC = "/grpc.health.v1.Health/";

    /** accord's server answers for this name, not for that of its service. */
    private static final String ACCORD = "accord";

    /** Whether a path is of this: whoever watches servers has no token, and learns nothing of leases here. */
    public static boolean isPath(String path) {
        return path.equals(LIVE) || path.equals(READY) || path.startsWith(GRPC);
    }

    @Override
    public void extend(ServerBuilder server, ServerParts parts) {
        StoreProbe probe = new StoreProbe(
                parts.leases().async(),
                parts.leases().runtime(),
                () -> parts.drain().hasBegun());
        SettableHealthChecker ready = probe.ready();
        server.service(LIVE, HealthCheckService.builder().build())
                .service(READY, HealthCheckService.builder().checkers(ready).build())
                .service(
                        GrpcService.builder()
                                .addService(GrpcHealthCheckService.builder()
                                        .checkers(ready)
                                        .serviceCheckers(LeasesGrpc.SERVICE_NAME, ready)
                                        .serviceCheckers(ACCORD, ready)
                                        .build())
                                .build(),
                        LateReset::new)
                .serverListener(new ServerListenerAdapter() {
                    @Override
                    public void serverStopping(Server ending) {
                        probe.close();
                    }
                });
    }
}
