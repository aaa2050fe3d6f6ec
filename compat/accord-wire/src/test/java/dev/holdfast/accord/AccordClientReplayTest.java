package dev.holdfast.accord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.proto.accord.Handle;
import dev.holdfast.proto.accord.ListRequest;
import dev.holdfast.proto.accord.Status;
import dev.holdfast.proto.accord.V1Grpc;
import dev.holdfast.server.EdgeServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The life of accord's own client, from its first list to its last call. */
@Tag("slow")
class AccordClientReplayTest {
    private final EdgeServer server = new EdgeServer(builder -> builder.with(new AccordWire()));
    private final V1Grpc.V1BlockingStub rpc = server.stub(V1Grpc.V1BlockingStub.class);

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aClientRenewsAndFinishesAndTheNextClientSeesTheKeyAsDone() throws InterruptedException {
        try (ReplayedClient ann = new ReplayedClient(rpc, "ann", "files", 1);
                ReplayedClient bob = new ReplayedClient(rpc, "bob", "files", 1)) {
            assertThat(ann.doneBefore).isEmpty();
            assertThat(ann.acquire("a.csv")).isEqualTo(Status.OK);
            ann.setMeta("rows", "17");
            // Eight renewals take longer than two whole ttls.
            awaitRenewals(ann, 8);

            assertThat(bob.acquire("a.csv")).isEqualTo(Status.HELD);
            ann.done();
            assertThat(bob.acquire("a.csv")).isEqualTo(Status.DONE);
        }
        try (ReplayedClient carl = new ReplayedClient(rpc, "carl", "files", 600)) {
            assertThat(carl.doneBefore).containsExactly("a.csv");
        }
        Handle listed = rpc.list(ListRequest.getDefaultInstance()).next();
        assertThat(listed.getMetadataMap()).containsEntry("rows", "17");
    }

    @Test
    void aDiscardedHandleIsAvailableToTheNextClientAtOnce() {
        try (ReplayedClient ann = new ReplayedClient(rpc, "ann", "files", 600);
                ReplayedClient bob = new ReplayedClient(rpc, "bob", "files", 600)) {
            assertThat(ann.acquire("a.csv")).isEqualTo(Status.OK);
            ann.discard();

            assertThat(bob.acquire("a.csv")).isEqualTo(Status.OK);
        }
    }

    private static void awaitRenewals(ReplayedClient client, int count) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (client.renewals.get() < count && System.nanoTime() - deadline < 0) {
            Thread.sleep(20);
        }
        assertThat(client.renewals).hasValueGreaterThanOrEqualTo(count);
    }
}
