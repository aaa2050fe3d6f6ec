package dev.holdfast.server.accord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LeasesOptions;
import dev.holdfast.proto.accord.AcquireRequest;
import dev.holdfast.proto.accord.AcquireResponse;
import dev.holdfast.proto.accord.RenewRequest;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.testkit.ManualRuntime;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What runs out, by a clock that the test turns. */
@Tag("slow")
class AccordExpiryTest {
    private final ManualRuntime runtime = new ManualRuntime();
    private final EdgeServer server = new EdgeServer(builder -> builder.options(
                    LeasesOptions.builder().runtime(runtime).withoutCleanUp().build())
            .with(new AccordWire()));
    private final V1Grpc.V1BlockingStub accord = server.stub(V1Grpc.V1BlockingStub.class);

    @AfterEach
    void stop() {
        server.close();
    }

    private AcquireResponse acquire(String owner, String metadata) {
        return accord.acquire(AcquireRequest.newBuilder()
                .setOwner(owner)
                .setName("file")
                .setTtl(60)
                .putMetadata("k", metadata)
                .build());
    }

    @Test
    void whatHasRunOutAnotherMayTake() {
        acquire("ann", "first");
        runtime.advance(Duration.ofSeconds(70));

        AcquireResponse second = acquire("bob", "second");

        assertThat(second.getStatus()).isEqualTo(Status.OK);
        assertThat(second.getHandle().getNumAcquired()).isEqualTo(2);
        assertThat(second.getHandle().getMetadataMap()).containsEntry("k", "first");
    }

    @Test
    void onesOwnHandleCanBeRenewedThoughItHasRunOutIfNobodyTookIt() {
        AcquireResponse first = acquire("ann", "first");
        runtime.advance(Duration.ofSeconds(70));

        accord.renew(RenewRequest.newBuilder()
                .setOwner("ann")
                .setHandleId(first.getHandle().getId())
                .setTtl(60)
                .build());

        assertThat(acquire("bob", "second").getStatus()).isEqualTo(Status.HELD);
    }
}
