package dev.holdfast.server.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Duration;
import dev.holdfast.LeasesOptions;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.Eventually;
import dev.holdfast.server.TestSession;
import dev.holdfast.server.security.NewToken;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class MetricsTest {
    @Test
    void leasesAndRequestsAreCounted() {
        ServerPerimeter serverPerimeter =
                new ServerPerimeter(PerimeterOptions.builder().build());
        LeasesOptions options =
                LeasesOptions.builder().listener(serverPerimeter.listener()).build();
        try (EdgeServer server = EdgeServer.with(serverPerimeter, builder -> builder.options(options))) {
            LeasesGrpc.LeasesBlockingStub leases = server.stub(LeasesGrpc.LeasesBlockingStub.class);
            Duration minute = Duration.newBuilder().setSeconds(60).build();
            String token = leases.acquire(AcquireRequest.newBuilder()
                            .setHolder("ann")
                            .setName("file")
                            .setTerm(minute)
                            .build())
                    .getGranted()
                    .getToken();
            RenewRequest renew = RenewRequest.newBuilder()
                    .setName("file")
                    .setToken(token)
                    .setTerm(minute)
                    .build();
            leases.renew(renew);
            leases.release(
                    ReleaseRequest.newBuilder().setName("file").setToken(token).build());
            assertThat(catchThrowableOfType(StatusRuntimeException.class, () -> leases.renew(renew)))
                    .isNotNull();

            assertThat(lines(server))
                    .contains(
                            "holdfast_granted_total 1.0",
                            "holdfast_lost_total{reason=\"evicted\"} 1.0",
                            "holdfast_lost_total{reason=\"taken\"} 0.0",
                            "holdfast_renewal_left_seconds_count 1",
                            "holdfast_renewal_left_seconds_bucket{le=\"30.0\"} 0",
                            "holdfast_renewal_left_seconds_bucket{le=\"60.0\"} 1",
                            "holdfast_batch_size_count 3",
                            "holdfast_queue_depth_count 3",
                            "holdfast_store_errors_total{effect=\"unknown\"} 0.0",
                            "holdfast_refused_total{limit=\"waiters_per_key\"} 0.0",
                            "holdfast_requests_seconds_count{route=\"/holdfast.v1.Leases/Renew\",status=\"OK\"} 1",
                            "holdfast_requests_seconds_count{route=\"/holdfast.v1.Leases/Renew\",status=\"ABORTED\"} 1",
                            "holdfast_waiting 0.0");
            // The current number depends on the moment of the scrape.
            assertThat(lines(server))
                    .anyMatch(line -> line.startsWith("holdfast_requests_active "))
                    .anyMatch(line -> line.startsWith("holdfast_connections "))
                    .anyMatch(line -> line.startsWith("holdfast_held "));
        }
    }

    @Test
    void rejectedRequestsAreCounted(@TempDir Path folder) throws IOException {
        NewToken token = NewToken.create("ann", List.of("read=*"));
        Path tokens = Files.writeString(folder.resolve("tokens"), token.line());
        try (EdgeServer server =
                EdgeServer.with(PerimeterOptions.builder().tokens(tokens).build())) {
            server.http().get("/v1/leases").aggregate().join();

            String metrics = server.http()
                    .prepare()
                    .get("/metrics")
                    .header("authorization", "Bearer " + token.secret())
                    .execute()
                    .aggregate()
                    .join()
                    .contentUtf8();
            assertThat(metrics).contains("holdfast_requests_seconds_count{route=\"/v1/leases\",status=\"401\"} 1");
        }
    }

    @Test
    void requestsAreCountedByRouteAndWaitingIsNotLatency() {
        try (EdgeServer server = EdgeServer.with(PerimeterOptions.builder().build())) {
            post(server, "/v1/leases/a/acquire", "{\"holder\":\"ann\",\"term\":\"1h\"}");
            post(server, "/v1/leases/b/acquire", "{\"holder\":\"ann\"}");
            post(server, "/v1/leases/a/acquire", "{\"holder\":\"bob\"}");
            post(server, "/v1/leases/a/acquire", "{\"holder\":\"bob\",\"wait\":\"300ms\"}");
            server.http().get("/v1/leases/a").aggregate().join();
            server.http().get("/v1/leases").aggregate().join();
            server.http().get("/nothing").aggregate().join();

            assertThat(lines(server))
                    .contains(
                            "holdfast_requests_seconds_count{route=\"/v1/leases/{name}/acquire\",status=\"200\"} 2",
                            "holdfast_requests_seconds_count{route=\"/v1/leases/{name}/acquire\",status=\"409\"} 1",
                            "holdfast_waits_seconds_count{route=\"/v1/leases/{name}/acquire\",status=\"409\"} 1",
                            "holdfast_requests_seconds_count{route=\"/v1/leases/{name}\",status=\"200\"} 1",
                            "holdfast_requests_seconds_count{route=\"/v1/leases\",status=\"200\"} 1",
                            "holdfast_requests_seconds_count{route=\"other\",status=\"404\"} 1");
        }
    }

    @Test
    void theDurationOfAStreamIsNotLatency() {
        try (EdgeServer server = EdgeServer.with(PerimeterOptions.builder().build())) {
            TestSession.open(server.stub(LeasesGrpc.LeasesStub.class), "worker").close();

            Eventually.until(() -> lines(server)
                    .contains("holdfast_streams_seconds_count{route=\"/holdfast.v1.Leases/Session\",status=\"OK\"} 1"));
            assertThat(lines(server))
                    .noneMatch(line -> line.startsWith("holdfast_requests_seconds") && line.contains("Session"));
        }
    }

    private static void post(EdgeServer server, String path, String body) {
        server.http().post(path, body).aggregate().join();
    }

    private static List<String> lines(EdgeServer server) {
        return server.http()
                .get("/metrics")
                .aggregate()
                .join()
                .contentUtf8()
                .lines()
                .toList();
    }
}
