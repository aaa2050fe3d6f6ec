package dev.holdfast.server.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Token;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.Granted;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.Eventually;
import dev.holdfast.server.LoopbackServer;
import dev.holdfast.server.TestSession;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.testkit.FaultyStore;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shutdown of a server: waits end immediately, and short requests are finished. */
@Tag("slow")
class ServerDrainTest {
    private final Leases leases = Holdfast.open("memory:");

    @AfterEach
    void close() {
        leases.close();
    }

    private static AcquireRequest ask(String name, int waitSeconds) {
        return AcquireRequest.newBuilder()
                .setName(name)
                .setHolder("me")
                .setWait(Duration.newBuilder().setSeconds(waitSeconds))
                .build();
    }

    private static void isDraining(@Nullable Throwable failure) throws Exception {
        StatusRuntimeException refused = (StatusRuntimeException) Objects.requireNonNull(failure);
        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        ErrorInfo info = StatusProto.fromThrowable(refused).getDetails(0).unpack(ErrorInfo.class);
        assertThat(info.getReason()).isEqualTo("DRAINING");
    }

    private static String metrics(EdgeServer server) {
        return server.http().get("/metrics").aggregate().join().contentUtf8();
    }

    private static int status(EdgeServer server, String path) {
        return server.http().get(path).aggregate().join().status().code();
    }

    /** The open session delays the end of the shutdown. */
    @Test
    void waitingAcquiresAreRejectedAtOnceAndTheServerStaysLiveUntilItStops() throws Exception {
        ServerPerimeter serverPerimeter =
                new ServerPerimeter(PerimeterOptions.builder().build());
        EdgeServer server = EdgeServer.with(
                serverPerimeter, builder -> builder.leases(leases).drain(java.time.Duration.ofSeconds(30)));
        LeasesGrpc.LeasesBlockingStub client = server.stub(LeasesGrpc.LeasesBlockingStub.class);
        TestSession session = TestSession.open(server.stub(LeasesGrpc.LeasesStub.class), "worker");
        client.acquire(ask("a", 0));
        ListenableFuture<AcquireResponse> waiting =
                server.stub(LeasesGrpc.LeasesFutureStub.class).acquire(ask("a", 8));
        CompletableFuture<AggregatedHttpResponse> waitingOverHttp = server.http()
                .post("/v1/leases/a/acquire", "{\"holder\":\"me\",\"wait\":\"8s\"}")
                .aggregate();
        TestSession opening = new TestSession(
                server.stub(LeasesGrpc.LeasesStub.class), "worker", "6b7c1f5e-2f0c-4f53-9d7b-0f2d8f0a9b12", false);
        Eventually.until(() -> metrics(server).contains("holdfast_waiting 2.0"));
        Eventually.until(() -> metrics(server).contains("holdfast_sessions 2.0"));
        Eventually.until(() -> status(server, "/health/ready") == 200);
        Thread ending = new Thread(server::close);
        long begun = System.nanoTime();
        ending.start();

        isDraining(catchThrowableOfType(ExecutionException.class, () -> waiting.get(60, TimeUnit.SECONDS))
                .getCause());
        assertThat(waitingOverHttp.get(60, TimeUnit.SECONDS).status().code()).isEqualTo(503);
        assertThat(waitingOverHttp.get().headers().get("retry-after")).isEqualTo("1");
        assertThat(waitingOverHttp.get().contentUtf8()).contains("\"mayBeApplied\":false");
        assertThat(session.next().hasGoAway()).isTrue();
        Eventually.until(opening::hasEnded);
        isDraining(catchThrowableOfType(StatusRuntimeException.class, () -> client.acquire(ask("a", 1))));
        assertThat(status(server, "/health/live")).isEqualTo(200);
        assertThat(status(server, "/health/ready")).isEqualTo(503);
        assertThat(System.nanoTime() - begun)
                .as("notified before the waits were over")
                .isLessThan(TimeUnit.SECONDS.toNanos(8));

        session.breakOff();
        ending.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(ending.isAlive()).isFalse();
        assertThat(leases.get(Key.of("a")).orElseThrow().entry().grants()).isEqualTo(1);
    }

    @Test
    void aGrantAfterTheRejectionOfItsCallerIsGivenBack() throws Exception {
        try (SystemEnvironment runtime = new SystemEnvironment()) {
            FaultyStore store = FaultyStore.around(new MemoryStore(runtime, 1, true));
            try (Leases slow = Holdfast.open(store, LeasesOptions.defaults())) {
                LoopbackServer server = new LoopbackServer(builder -> builder.leases(slow));
                store.hold();
                ListenableFuture<AcquireResponse> waiting = server.futures().acquire(ask("a", 60));
                Eventually.until(() -> store.waiting() == 1);
                Thread ending = new Thread(server::close);
                ending.start();
                isDraining(catchThrowableOfType(ExecutionException.class, () -> waiting.get(60, TimeUnit.SECONDS))
                        .getCause());

                store.letGo();

                Eventually.until(() ->
                        slow.get(Key.of("a")).map(status -> !status.isHeld()).orElse(false));
                ending.join(TimeUnit.SECONDS.toMillis(60));
                assertThat(ending.isAlive()).isFalse();
            }
        }
    }

    @Test
    void aServerDoesNotCloseLeasesThatItWasGiven() {
        LoopbackServer server = new LoopbackServer(builder -> builder.leases(leases));
        Granted granted = server.blocking().acquire(ask("a", 0)).getGranted();

        server.close();

        assertThat(leases.get(Key.of("a")).orElseThrow().isHeld()).isTrue();
        assertThat(leases.release(Key.of("a"), Token.parse(granted.getToken()))).isTrue();
    }
}
