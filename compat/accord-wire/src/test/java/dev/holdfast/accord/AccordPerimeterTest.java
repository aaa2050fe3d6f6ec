package dev.holdfast.accord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.Eventually;
import dev.holdfast.server.limits.ServerLimits;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.server.security.NewToken;
import dev.holdfast.server.wire.PythonCalls;
import dev.holdfast.testkit.FaultyStore;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Authentication, limits, health and metrics of a production server, which finds this protocol by itself. */
@Tag("slow")
class AccordPerimeterTest {
    private static final NewToken WORKER = NewToken.create("worker", List.of("lease=jobs"));
    private static final NewToken OTHER = NewToken.create("other", List.of("lease=other"));
    private static final NewToken OPERATOR = NewToken.create("operator", List.of("admin=*"));

    @TempDir
    private Path folder;

    private EdgeServer guarded() throws IOException {
        Path tokens = Files.write(folder.resolve("tokens"), List.of(WORKER.line(), OTHER.line(), OPERATOR.line()));
        return EdgeServer.with(PerimeterOptions.builder().tokens(tokens).build());
    }

    private static void acquire(EdgeServer server, NewToken caller, String namespace) {
        server.stub(V1Grpc.V1BlockingStub.class, caller.secret())
                .acquire(AcquireRequest.newBuilder()
                        .setOwner("ann")
                        .setNamespace(namespace)
                        .setName("file")
                        .build());
    }

    private static List<Handle> list(EdgeServer server, NewToken caller) {
        List<Handle> handles = new ArrayList<>();
        server.stub(V1Grpc.V1BlockingStub.class, caller.secret())
                .list(ListRequest.getDefaultInstance())
                .forEachRemaining(handles::add);
        return handles;
    }

    @Test
    void permissionsAreCheckedAsOnOtherProtocols() throws IOException {
        try (EdgeServer server = guarded()) {
            StatusRuntimeException refused =
                    catchThrowableOfType(StatusRuntimeException.class, () -> acquire(server, WORKER, ""));
            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
            assertThat(refused.getStatus().getDescription()).isEqualTo("worker may not lease in namespace \"\"");
            acquire(server, WORKER, "jobs");
            acquire(server, OTHER, "other");

            List<Handle> seen = list(server, WORKER);
            assertThat(seen).extracting(Handle::getNamespace).containsOnly("jobs");
            assertThat(seen).allMatch(handle -> handle.getId().isEmpty());
            assertThat(list(server, OPERATOR)).extracting(Handle::getNamespace).contains("jobs", "other");
            assertThat(list(server, OPERATOR)).allMatch(handle -> handle.getId().size() == 16);
        }
    }

    @Test
    void leasesAndRequestsAreCounted() {
        ServerPerimeter serverPerimeter =
                new ServerPerimeter(PerimeterOptions.builder().build());
        LeasesOptions options =
                LeasesOptions.builder().listener(serverPerimeter.listener()).build();
        try (EdgeServer server = EdgeServer.with(serverPerimeter, builder -> builder.options(options))) {
            V1Grpc.V1BlockingStub accord = server.stub(V1Grpc.V1BlockingStub.class);
            Handle handle = accord.acquire(AcquireRequest.newBuilder()
                            .setOwner("ann")
                            .setName("file")
                            .setTtl(60)
                            .build())
                    .getHandle();
            RenewRequest renew = RenewRequest.newBuilder()
                    .setOwner("ann")
                    .setHandleId(handle.getId())
                    .setTtl(60)
                    .build();
            accord.renew(renew);
            accord.renew(renew.toBuilder().setTtl(0).build());
            assertThat(catchThrowableOfType(StatusRuntimeException.class, () -> accord.renew(renew)))
                    .isNotNull();

            assertThat(server.http()
                            .get("/metrics")
                            .aggregate()
                            .join()
                            .contentUtf8()
                            .lines())
                    .contains(
                            "holdfast_granted_total 1.0",
                            "holdfast_lost_total{reason=\"evicted\"} 1.0",
                            "holdfast_lost_total{reason=\"taken\"} 0.0",
                            "holdfast_renewal_left_seconds_count 1",
                            "holdfast_batch_size_count 3",
                            "holdfast_requests_seconds_count{route=\"/blacksquaremedia.accord.V1/Renew\",status=\"OK\"} 2",
                            "holdfast_requests_seconds_count{route=\"/blacksquaremedia.accord.V1/Renew\",status=\"UNKNOWN\"} 1");
        }
    }

    @Test
    void healthHasTheNameOfAccord() {
        try (SystemEnvironment runtime = new SystemEnvironment()) {
            healthFollows(FaultyStore.around(new MemoryStore(runtime, 2, true)));
        }
    }

    private static void healthFollows(FaultyStore store) {
        ServerPerimeter perimeter =
                new ServerPerimeter(PerimeterOptions.builder().build());
        try (Leases leases = Holdfast.open(store, LeasesOptions.defaults());
                EdgeServer server = EdgeServer.with(perimeter, builder -> builder.leases(leases))) {
            Eventually.until(() -> health(server) == ServingStatus.SERVING);
            store.hold();
            Eventually.until(() -> health(server) == ServingStatus.NOT_SERVING);
            store.letGo();
            Eventually.until(() -> health(server) == ServingStatus.SERVING);
        }
    }

    private static ServingStatus health(EdgeServer server) {
        return server.stub(HealthGrpc.HealthBlockingStub.class)
                .check(HealthCheckRequest.newBuilder().setService("accord").build())
                .getStatus();
    }

    /** The same as Python's gRPC client sees it: a rejection has its own status and is no broken stream. */
    @Test
    void listsAreRefusedWithTheirOwnStatus() throws IOException {
        PythonCalls.assumeInstalled(AccordPerimeterTest.class);
        ServerLimits limits = ServerLimits.builder().requests(1).build();
        try (EdgeServer guarded = guarded();
                PythonCalls python = new PythonCalls(guarded.port())) {
            assertThat(codes(python, Map.of())).containsOnly("UNAUTHENTICATED");
            assertThat(codes(python, Map.of("authorization", "Bearer hf_other")))
                    .containsOnly("UNAUTHENTICATED");
            assertThat(codes(python, Map.of("authorization", "Bearer " + WORKER.secret())))
                    .containsOnly("PERMISSION_DENIED");
        }
        try (EdgeServer limited = EdgeServer.with(
                        PerimeterOptions.builder().limits(limits).build());
                PythonCalls python = new PythonCalls(limited.port())) {
            var watch = limited.stub(LeasesGrpc.LeasesBlockingStub.class).watch(WatchRequest.getDefaultInstance());
            assertThat(watch.next().getInSync()).isTrue();
            assertThat(codes(python, Map.of())).containsOnly("RESOURCE_EXHAUSTED");
        }
    }

    private static List<String> codes(PythonCalls python, Map<String, String> metadata) throws IOException {
        ListRequest request = ListRequest.newBuilder()
                .setFilter(ListRequest.Filter.newBuilder().setPrefix("secret"))
                .build();
        return python.call("/blacksquaremedia.accord.V1/List", PythonCalls.Mode.SERVER, request, metadata, 10).stream()
                .map(PythonCalls.End::code)
                .toList();
    }
}
