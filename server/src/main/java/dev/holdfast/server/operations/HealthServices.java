package dev.holdfast.server.operations;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerListenerAdapter;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckService;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.healthcheck.HealthCheckService;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.EarlyDispatch;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.server.ServerExtension;

/**
 * The health services: {@code /health/live}, {@code /health/ready}, and gRPC's own health service. The latter covers
 * the whole server (the empty name), {@code holdfast.v1.Leases} and {@code accord}.
 */
public final class HealthServices implements ServerExtension {
    private static final String LIVE = "/health/live";
    private static final String READY = "/health/ready";
    private static final String GRPC = "/grpc.health.v1.Health/";

    /** accord's server uses this name for its health, not the name of its service. */
    private static final String ACCORD = "accord";

    /**
     * Whether a path belongs to these services. They need no token: probes have none, and the responses say nothing
     * about leases.
     */
    public static boolean isPath(String path) {
        return isProbe(path) || path.startsWith(GRPC);
    }

    /** Whether a path belongs to these services and is answered immediately, without keeping any state. */
    public static boolean isProbe(String path) {
        return path.equals(LIVE) || path.equals(READY);
    }

    @Override
    public void extend(ServerBuilder server, ServerComponents parts) {
        StoreProbe probe = new StoreProbe(
                parts.leases().async(),
                parts.service().environment(),
                () -> parts.drain().hasBegun());
        SettableHealthChecker ready = probe.ready();
        server.service(LIVE, new LiveService())
                .service(READY, HealthCheckService.builder().checkers(ready).build())
                .service(
                        GrpcService.builder()
                                .addService(GrpcHealthCheckService.builder()
                                        .checkers(ready)
                                        .serviceCheckers(LeasesGrpc.SERVICE_NAME, ready)
                                        .serviceCheckers(ACCORD, ready)
                                        .build())
                                .build(),
                        EarlyDispatch::new)
                .serverListener(new ServerListenerAdapter() {
                    @Override
                    public void serverStopping(Server ending) {
                        probe.close();
                    }
                });
    }
}
