package dev.holdfast.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.testkit.FaultyStore;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** More requests than the server can process: it rejects them immediately and keeps running. */
@Tag("slow")
class OverloadTest {
    private static AcquireRequest ask(int number, Duration wait) {
        return AcquireRequest.newBuilder()
                .setName("name-" + number)
                .setHolder("ann")
                .setWait(com.google.protobuf.Duration.newBuilder().setSeconds(wait.toSeconds()))
                .build();
    }

    private static int post(EdgeServer server, String name) {
        return respond(server, name).status().code();
    }

    private static AggregatedHttpResponse respond(EdgeServer server, String name) {
        return server.http()
                .post("/v1/leases/" + name + "/acquire", "{\"holder\":\"ann\"}")
                .aggregate()
                .join();
    }

    @Test
    void requestsBeyondTheQueueOfAStalledStoreAreRejectedAtOnceWithADelay() throws Exception {
        try (SystemEnvironment runtime = new SystemEnvironment()) {
            FaultyStore store = FaultyStore.around(new MemoryStore(runtime, 1, true));
            LeasesOptions options = LeasesOptions.builder()
                    .queueLimit(2)
                    .operationTimeout(Duration.ofMinutes(5))
                    .build();
            try (Leases leases = Holdfast.open(store, options);
                    EdgeServer server = EdgeServer.with(
                            new ServerPerimeter(PerimeterOptions.builder().build()),
                            builder -> builder.leases(leases))) {
                store.hold();
                List<Future<AcquireResponse>> asked = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    asked.add(server.stub(LeasesGrpc.LeasesFutureStub.class).acquire(ask(i, Duration.ZERO)));
                }
                assertThat(refusals(asked)).isGreaterThanOrEqualTo(1);
                AggregatedHttpResponse refused = respond(server, "late");
                assertThat(refused.status().code()).isEqualTo(429);
                assertThat(refused.headers().get("retry-after")).isEqualTo("1");

                store.letGo();
                for (Future<AcquireResponse> each : asked) {
                    assertThat(each.get(60, TimeUnit.SECONDS).hasGranted()).isTrue();
                }
                assertThat(post(server, "late")).isEqualTo(200);
            }
        }
    }

    /** Waits until all requests to be rejected have failed, and removes them. */
    private static int refusals(List<Future<AcquireResponse>> asked) throws Exception {
        int refused = 0;
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        // One batch is in the store and two requests are queued: all others are rejected.
        while (asked.size() > 3 && System.nanoTime() - deadline < 0) {
            for (Iterator<Future<AcquireResponse>> each = asked.iterator(); each.hasNext(); ) {
                Future<AcquireResponse> call = each.next();
                if (call.isDone()) {
                    isExhausted(call);
                    each.remove();
                    refused++;
                }
            }
            Thread.sleep(10);
        }
        return refused;
    }

    private static void isExhausted(Future<AcquireResponse> call) throws Exception {
        try {
            assertThat(call.get()).isNull();
        } catch (ExecutionException e) {
            StatusRuntimeException refusal = (StatusRuntimeException) Objects.requireNonNull(e.getCause());
            assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(retry(refusal).hasRetryDelay()).isTrue();
        }
    }

    private static RetryInfo retry(StatusRuntimeException refusal) throws InvalidProtocolBufferException {
        return StatusProto.fromThrowable(refusal).getDetails(1).unpack(RetryInfo.class);
    }

    @Test
    void requestsBeyondTheLimitAreRejectedButHealthIsAlwaysAnswered() throws Exception {
        ServerLimits limits = ServerLimits.builder().requests(2).build();
        try (EdgeServer server =
                EdgeServer.with(PerimeterOptions.builder().limits(limits).build())) {
            assertThat(post(server, "name-1")).isEqualTo(200);
            LeasesGrpc.LeasesFutureStub leases = server.stub(LeasesGrpc.LeasesFutureStub.class);
            List<Future<AcquireResponse>> waiting = List.of(
                    leases.acquire(ask(1, Duration.ofMinutes(5))), leases.acquire(ask(1, Duration.ofMinutes(5))));
            awaitTwoWaiting(server);

            AggregatedHttpResponse refused = respond(server, "name-2");
            assertThat(refused.status().code()).isEqualTo(429);
            assertThat(refused.headers().get("retry-after")).isEqualTo("1");
            assertThat(server.http()
                            .get("/health/live")
                            .aggregate()
                            .join()
                            .status()
                            .code())
                    .isEqualTo(200);

            waiting.forEach(each -> each.cancel(true));
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (post(server, "name-2") == 429 && System.nanoTime() - deadline < 0) {
                Thread.sleep(10);
            }
            assertThat(post(server, "name-3")).isEqualTo(200);
        }
    }

    private static void awaitTwoWaiting(EdgeServer server) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!server.http().get("/metrics").aggregate().join().contentUtf8().contains("holdfast_waiting 2.0")
                && System.nanoTime() - deadline < 0) {
            Thread.sleep(10);
        }
    }
}
