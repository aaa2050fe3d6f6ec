package dev.holdfast.accord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.server.EdgeServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class AccordOnSqliteTest extends AccordContract {
    @TempDir
    static Path folder;

    @Override
    EdgeServer open() {
        return new EdgeServer(
                server -> server.store("sqlite:" + folder.resolve("leases.db")).with(new AccordWire()));
    }

    @Test
    void aHandleGrantedByOneServerIsValidAtAnother() {
        Handle renewed = acquire("ann", "file");
        Handle finished = acquire("ann", "other");
        try (EdgeServer another = open()) {
            V1Grpc.V1BlockingStub first = accord;
            accord = another.stub(V1Grpc.V1BlockingStub.class);

            renew("ann", renewed.getId(), 60, Map.of());
            done("ann", finished.getId(), Map.of());
            isInvalidHandle(() -> renew("bob", renewed.getId(), 60, Map.of()));

            accord = first;
            assertThat(status(ask("bob", "file"))).isEqualTo(Status.HELD);
            assertThat(status(ask("bob", "other"))).isEqualTo(Status.DONE);
            isInvalidHandle(() -> renew("ann", finished.getId(), 60, Map.of()));
        }
    }

    @Test
    void aHandleThatAnotherServerFinishedIsInvalidAtAThird() {
        Handle finished = acquire("ann", "file");
        done("ann", finished.getId(), Map.of());
        try (EdgeServer another = open()) {
            accord = another.stub(V1Grpc.V1BlockingStub.class);

            isInvalidHandle(() -> done("ann", finished.getId(), Map.of()));
        }
    }

    @Test
    void aHandleIsFinishedOnceHoweverManyServersAreAsked() {
        Handle handle = acquire("ann", "file");
        try (EdgeServer another = open()) {
            V1Grpc.V1BlockingStub first = accord;
            accord = another.stub(V1Grpc.V1BlockingStub.class);
            done("ann", handle.getId(), Map.of("by", "the second"));

            accord = first;
            isInvalidHandle(() -> done("ann", handle.getId(), Map.of("by", "the first")));
        }
        assertThat(list(ListRequest.newBuilder()).get(0).getMetadataMap()).isEqualTo(Map.of("by", "the second"));
    }
}
