package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.Granted;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of a server: nothing new that waits, and what runs is finished. */
class DrainTest {
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

    @Test
    void whoWaitsAlreadyIsServedAndWhoComesNowIsSentElsewhere() throws Exception {
        CountingAdmission admission = new CountingAdmission();
        LoopbackServer server = new LoopbackServer(
                builder -> builder.leases(leases).admission(admission).drain(java.time.Duration.ofSeconds(30)));
        LeasesGrpc.LeasesBlockingStub client = server.blocking();
        Granted held = client.acquire(ask("a", 0)).getGranted();
        ListenableFuture<AcquireResponse> waiting = server.futures().acquire(ask("a", 60));
        admission.untilWaiting(1);
        Thread ending = new Thread(server::close);
        ending.start();
        Eventually.until(() -> isRefused(client));

        StatusRuntimeException refused =
                catchThrowableOfType(StatusRuntimeException.class, () -> client.acquire(ask("b", 60)));
        client.release(ReleaseRequest.newBuilder()
                .setName("a")
                .setToken(held.getToken())
                .build());

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        ErrorInfo info = StatusProto.fromThrowable(refused).getDetails(0).unpack(ErrorInfo.class);
        assertThat(info.getReason()).isEqualTo("DRAINING");
        assertThat(waiting.get(30, TimeUnit.SECONDS).hasGranted()).isTrue();
        ending.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(ending.isAlive()).isFalse();
    }

    private static boolean isRefused(LeasesGrpc.LeasesBlockingStub client) {
        try {
            return client.acquire(ask("a", 1)).hasGranted();
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode() == Status.Code.UNAVAILABLE;
        }
    }

    @Test
    void aServerThatWasGivenLeasesLeavesThemOpen() {
        LoopbackServer server = new LoopbackServer(builder -> builder.leases(leases));
        Granted granted = server.blocking().acquire(ask("a", 0)).getGranted();

        server.close();

        assertThat(leases.get(Key.of("a")).orElseThrow().isHeld()).isTrue();
        assertThat(leases.release(Key.of("a"), Token.parse(granted.getToken()))).isTrue();
    }
}
