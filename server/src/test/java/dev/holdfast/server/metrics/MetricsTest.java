package dev.holdfast.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.LeasesOptions;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.auth.NewToken;
import dev.holdfast.server.edge.Edge;
import dev.holdfast.server.edge.EdgeOptions;
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
    void whatHappensIsCounted() {
        Edge edge = new Edge(EdgeOptions.builder().build());
        LeasesOptions options =
                LeasesOptions.builder().listener(edge.listener()).build();
        try (EdgeServer server = EdgeServer.with(edge, builder -> builder.options(options))) {
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
                            "holdfast_requests_seconds_count{route=\"/blacksquaremedia.accord.V1/Renew\",status=\"OK\"} 2",
                            "holdfast_requests_seconds_count{route=\"/blacksquaremedia.accord.V1/Renew\",status=\"UNKNOWN\"} 1",
                            "holdfast_waiting 0.0");
            // How many there are just now depends on who looks when.
            assertThat(lines(server))
                    .anyMatch(line -> line.startsWith("holdfast_requests_active "))
                    .anyMatch(line -> line.startsWith("holdfast_connections "))
                    .anyMatch(line -> line.startsWith("holdfast_held "));
        }
    }

    @Test
    void thoseWhoAreTurnedAwayAreCountedToo(@TempDir Path folder) throws IOException {
        NewToken token = NewToken.create("ann", List.of("read=*"));
        Path tokens = Files.writeString(folder.resolve("tokens"), token.line());
        try (EdgeServer server =
                EdgeServer.with(EdgeOptions.builder().tokens(tokens).build())) {
            server.http().get("/v1/leases").aggregate().join();

            String metrics = server.http()
                    .prepare()
                    .get("/metrics")
                    .header("authorization", "Bearer " + token.secret())
                    .execute()
                    .aggregate()
                    .join()
                    .contentUtf8();
            assertThat(metrics).contains("holdfast_requests_seconds_count{route=\"/v1/*\",status=\"401\"} 1");
        }
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
