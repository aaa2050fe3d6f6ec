package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.GetResponse;
import dev.holdfast.proto.v1.State;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients that end their side of a session's stream without a close. */
class HalfClosedSessionTest {
    private static LoopbackServer server;

    @BeforeAll
    static void start() {
        server = new LoopbackServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static GetResponse anchor(String holder) {
        return server.blocking()
                .get(GetRequest.newBuilder()
                        .setNamespace("~anchors")
                        .setName(holder)
                        .build());
    }

    @Test
    void theStreamEndsAndTheAnchorStaysUntilItsTermEnds() {
        TestSession session = TestSession.open(server.async(), "worker");

        session.halfClose();

        Eventually.until(session::hasEnded);
        assertThat(anchor("worker").getStatus().getStoredState()).isEqualTo(State.STATE_HELD);
        TestSession resumed = new TestSession(server.async(), "worker", session.token, true);
        assertThat(resumed.next().getOpened().getNumber()).isEqualTo(1);
        resumed.breakOff();
    }

    @Test
    void anOpenThatIsNotAnsweredYetIsCancelled() {
        TestSession holder = TestSession.open(server.async(), "taken");
        TestSession second =
                new TestSession(server.async(), "taken", UUID.randomUUID().toString(), false);

        second.halfClose();

        Eventually.until(second::hasEnded);
        holder.close();
        assertThat(holder.next().hasClosed()).isTrue();
        TestSession third = TestSession.open(server.async(), "taken");
        assertThat(third.hasEnded()).isFalse();
        third.breakOff();
    }
}
