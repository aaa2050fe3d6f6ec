package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.State;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gRPC service, over the loopback. */
@Tag("slow")
class GrpcLeasesTest {
    private final LoopbackServer server = new LoopbackServer();
    private final LeasesGrpc.LeasesBlockingStub leases = server.blocking();

    @AfterEach
    void stop() {
        server.close();
    }

    private static AcquireRequest.Builder ask(String name, String holder) {
        return AcquireRequest.newBuilder().setName(name).setHolder(holder);
    }

    @Test
    void aKeyIsGrantedOnceAndAfterItsReleaseAgain() {
        AcquireResponse first = leases.acquire(ask("a", "ann").build());
        AcquireResponse second = leases.acquire(ask("a", "bob").build());

        assertThat(first.hasGranted()).isTrue();
        assertThat(second.getHeld().getHolder()).isEqualTo("ann");
        assertThat(second.getHeld().getRemaining().getSeconds()).isBetween(1L, 30L);

        String token = first.getGranted().getToken();
        assertThat(leases.release(ReleaseRequest.newBuilder()
                                .setName("a")
                                .setToken(token)
                                .build())
                        .getReleased())
                .isTrue();
        AcquireResponse third = leases.acquire(ask("a", "bob").build());
        assertThat(third.getGranted().getFence())
                .isGreaterThan(first.getGranted().getFence());
    }

    @Test
    void theSameTokenIsTheSameRequest() {
        String token = UUID.randomUUID().toString();

        AcquireResponse first = leases.acquire(ask("a", "ann").setToken(token).build());
        AcquireResponse again = leases.acquire(ask("a", "ann").setToken(token).build());

        assertThat(again.getGranted().getFence()).isEqualTo(first.getGranted().getFence());
        assertThat(again.getGranted().getToken()).isEqualTo(token);
    }

    @Test
    void aKeyIsShownWithoutItsToken() {
        leases.acquire(ask("a", "ann").build());

        var status = leases.get(GetRequest.newBuilder().setName("a").build()).getStatus();

        assertThat(status.getState()).isEqualTo(State.STATE_HELD);
        assertThat(status.getGrant().getHolder()).isEqualTo("ann");
        assertThat(status.getGrant().getToken()).isEmpty();
        assertThat(leases.get(GetRequest.newBuilder().setName("b").build()).hasStatus())
                .isFalse();
    }

    @Test
    void aBadFieldIsNamed() throws InvalidProtocolBufferException {
        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> leases.acquire(ask("", "ann").build()));

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refused.getStatus().getDescription()).isEqualTo("name: \"\" (expected: not empty)");
        BadRequest detail = StatusProto.fromThrowable(refused).getDetails(1).unpack(BadRequest.class);
        assertThat(detail.getFieldViolations(0).getField()).isEqualTo("name");
    }
}
