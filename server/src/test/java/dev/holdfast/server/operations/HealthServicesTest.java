package dev.holdfast.server.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.testkit.FaultyStore;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class HealthServicesTest {
    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
            Thread.sleep(20);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static int status(EdgeServer server, String path) {
        return server.http().get(path).aggregate().join().status().code();
    }

    private static ServingStatus serving(EdgeServer server, String service) {
        return server.stub(HealthGrpc.HealthBlockingStub.class)
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }

    @Test
    void readinessFollowsTheStoreAndLivenessDoesNot() throws InterruptedException {
        try (SystemEnvironment runtime = new SystemEnvironment()) {
            follows(FaultyStore.around(new MemoryStore(runtime, 2, true)));
        }
    }

    private static void follows(FaultyStore store) throws InterruptedException {
        try (Leases leases = Holdfast.open(store, LeasesOptions.defaults());
                EdgeServer server = new EdgeServer(builder ->
                        builder.leases(leases).with((to, served) -> HealthServices.add(to, served, List.of())))) {
            await(() -> status(server, "/health/ready") == 200);
            assertThat(serving(server, "")).isEqualTo(ServingStatus.SERVING);
            assertThat(serving(server, "holdfast.v1.Leases")).isEqualTo(ServingStatus.SERVING);

            store.hold();
            await(() -> status(server, "/health/ready") == 503);
            assertThat(status(server, "/health/live")).isEqualTo(200);
            assertThat(serving(server, "holdfast.v1.Leases")).isEqualTo(ServingStatus.NOT_SERVING);

            store.letGo();
            await(() -> status(server, "/health/ready") == 200);
            assertThat(serving(server, "holdfast.v1.Leases")).isEqualTo(ServingStatus.SERVING);

            StatusRuntimeException unknown =
                    catchThrowableOfType(StatusRuntimeException.class, () -> serving(server, "nobody"));
            assertThat(unknown.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
        }
    }
}
