package dev.holdfast.accord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.DoneRequest;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.security.NewToken;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Permissions of callers that have only the id of a handle. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccordPermissionTest {
    private static final ByteString UNKNOWN_ID = ByteString.copyFrom(new byte[16]);

    private final NewToken reader = NewToken.create("reader", List.of("read=*"));
    private final NewToken worker = NewToken.create("worker", List.of("lease=jobs"));
    private final NewToken other = NewToken.create("other", List.of("lease=other"));
    private final EdgeServer server;

    AccordPermissionTest(@TempDir Path folder) throws IOException {
        Path tokens = Files.write(folder.resolve("tokens"), List.of(reader.line(), worker.line(), other.line()));
        server = EdgeServer.with(PerimeterOptions.builder().tokens(tokens).build());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private V1Grpc.V1BlockingStub as(NewToken caller) {
        return server.stub(V1Grpc.V1BlockingStub.class, caller.secret());
    }

    private void renew(NewToken caller, ByteString id, int ttl) {
        as(caller)
                .renew(RenewRequest.newBuilder()
                        .setOwner("ann")
                        .setHandleId(id)
                        .setTtl(ttl)
                        .build());
    }

    private void done(NewToken caller, ByteString id) {
        as(caller).done(DoneRequest.newBuilder().setOwner("ann").setHandleId(id).build());
    }

    private static void isRefused(ThrowingCallable call, Status.Code code) {
        assertThat(catchThrowableOfType(StatusRuntimeException.class, call)
                        .getStatus()
                        .getCode())
                .isEqualTo(code);
    }

    @Test
    void aCallerThatMayLeaseNowhereIsRefusedBeforeAnyHandleIsLookedUp() {
        isRefused(() -> renew(reader, UNKNOWN_ID, 60), Status.Code.PERMISSION_DENIED);
        isRefused(() -> renew(reader, UNKNOWN_ID, 0), Status.Code.PERMISSION_DENIED);
        isRefused(() -> done(reader, UNKNOWN_ID), Status.Code.PERMISSION_DENIED);
        isRefused(() -> done(worker, UNKNOWN_ID), Status.Code.UNKNOWN);
    }

    @Test
    void aHandleIsRenewedAndFinishedOnlyWhereItsCallerMayLease() {
        ByteString id = as(worker)
                .acquire(AcquireRequest.newBuilder()
                        .setOwner("ann")
                        .setNamespace("jobs")
                        .setName("file")
                        .setTtl(60)
                        .build())
                .getHandle()
                .getId();

        isRefused(() -> renew(other, id, 60), Status.Code.PERMISSION_DENIED);
        isRefused(() -> renew(other, id, 0), Status.Code.PERMISSION_DENIED);
        isRefused(() -> done(other, id), Status.Code.PERMISSION_DENIED);

        renew(worker, id, 60);
        done(worker, id);
    }
}
