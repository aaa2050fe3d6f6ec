package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Duration;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.EvictRequest;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.LostReason;
import dev.holdfast.proto.v1.SessionResponse;
import dev.holdfast.proto.v1.State;
import dev.holdfast.testkit.FaultyStore;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions: one anchor, one heartbeat, any number of leases. Two servers share the store. */
@Tag("slow")
class SessionTest {
    private final SystemEnvironment runtime = new SystemEnvironment();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private Leases leases;
    private Leases otherLeases;
    private LoopbackServer server;
    private LoopbackServer other;

    @BeforeEach
    void start() {
        LeasesOptions options =
                LeasesOptions.builder().holder("server").withoutCleanUp().build();
        leases = Holdfast.open(store, options);
        otherLeases = Holdfast.open(store, options);
        server = new LoopbackServer(builder -> builder.leases(leases).drain(java.time.Duration.ofSeconds(1)));
        other = new LoopbackServer(builder -> builder.leases(otherLeases).drain(java.time.Duration.ofSeconds(1)));
    }

    @AfterEach
    void stop() {
        server.close();
        other.close();
        leases.close();
        otherLeases.close();
        runtime.close();
    }

    private static AcquireRequest under(TestSession session, String name) {
        return AcquireRequest.newBuilder()
                .setName(name)
                .setHolder(session.holder)
                .setUnder(session.proof())
                .build();
    }

    private State state(LoopbackServer at, String name) {
        return at.blocking()
                .get(GetRequest.newBuilder().setName(name).build())
                .getStatus()
                .getState();
    }

    @Test
    void anAcknowledgementNamesItsHeartbeat() {
        TestSession session = TestSession.open(server.async(), "worker");

        session.beat(2);
        assertThat(session.next().getAcknowledged().getNumber()).isEqualTo(2);
        session.beat(7);
        assertThat(session.next().getAcknowledged().getNumber()).isEqualTo(7);
    }

    @Test
    void aLeaseUnderAnAnchorNeedsTheAnchorsToken() {
        TestSession session = TestSession.open(server.async(), "worker");
        AcquireRequest forged = under(session, "b").toBuilder()
                .setUnder(session.proof().toBuilder().setToken(UUID.randomUUID().toString()))
                .build();

        assertThat(other.blocking().acquire(under(session, "a")).hasGranted()).isTrue();
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> other.blocking().acquire(forged))
                .withMessageContaining("the lease is lost (TAKEN)");
        assertThat(leases.get(Key.of("b"))).isEmpty();
    }

    @Test
    void anAnchorIsGrantedOnlyToTheHolderOfItsName() {
        AcquireRequest another = AcquireRequest.newBuilder()
                .setNamespace("~anchors")
                .setName("another")
                .setHolder("worker")
                .build();

        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> server.blocking().acquire(another))
                .withMessageContaining("INVALID_ARGUMENT: namespace: ");
    }

    @Test
    void allLeasesOfASessionCostOneWriteAHeartbeat() {
        List<TestSession> sessions = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            TestSession session = TestSession.open(server.async(), "worker-" + i);
            sessions.add(session);
            for (int j = 0; j < 50; j++) {
                assertThat(server.blocking()
                                .acquire(under(session, "unit-" + i + "-" + j))
                                .hasGranted())
                        .isTrue();
            }
        }
        FaultyStore.Calls before = store.calls();

        for (int round = 2; round < 5; round++) {
            for (TestSession session : sessions) {
                session.beat(round);
                assertThat(session.next().getAcknowledged().getNumber()).isEqualTo(round);
            }
        }

        FaultyStore.Calls cost = store.calls().since(before);
        assertThat(cost.applies())
                .as("writes of 500 leases in 3 rounds of 10 sessions")
                .isEqualTo(30);
        assertThat(cost.reads()).isZero();
    }

    @Test
    void aStreamThatBreaksDoesNotEndTheSession() {
        TestSession broken = TestSession.open(server.async(), "worker");
        assertThat(server.blocking().acquire(under(broken, "unit")).hasGranted())
                .isTrue();
        broken.breakOff();
        Eventually.until(broken::hasEnded);

        TestSession resumed = new TestSession(other.async(), "worker", broken.token, true);
        SessionResponse opened = resumed.next();
        resumed.beat(2);

        assertThat(opened.hasOpened()).as(opened.toString()).isTrue();
        assertThat(resumed.next().getAcknowledged().getNumber()).isEqualTo(2);
        assertThat(state(server, "unit")).isEqualTo(State.STATE_HELD);
        assertThat(other.blocking().acquire(under(resumed, "another")).hasGranted())
                .isTrue();
    }

    @Test
    void aCloseReleasesAllLeasesOfTheSessionAtOnce() throws Exception {
        TestSession session = TestSession.open(server.async(), "worker");
        assertThat(server.blocking().acquire(under(session, "unit")).hasGranted())
                .isTrue();
        var waiting = server.futures()
                .acquire(AcquireRequest.newBuilder()
                        .setName("unit")
                        .setHolder("next")
                        .setWait(Duration.newBuilder().setSeconds(50))
                        .build());

        session.close();

        assertThat(session.next().getClosed().getReleased()).isTrue();
        AcquireResponse next = waiting.get(30, TimeUnit.SECONDS);
        assertThat(next.hasGranted()).as(next.toString()).isTrue();
    }

    @Test
    void nothingIsAcquiredUnderASessionThatWasClosed() {
        TestSession session = TestSession.open(server.async(), "worker");
        assertThat(server.blocking().acquire(under(session, "before")).hasGranted())
                .isTrue();
        session.close();
        assertThat(session.next().hasClosed()).isTrue();

        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class, () -> server.blocking().acquire(under(session, "after")));

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
    }

    @Test
    void anEvictedSessionIsNotified() {
        TestSession session = TestSession.open(server.async(), "worker");
        other.blocking()
                .evict(EvictRequest.newBuilder()
                        .setNamespace("~anchors")
                        .setName("worker")
                        .setReason("a test")
                        .build());

        session.beat(2);

        assertThat(session.next().getLost().getReason()).isEqualTo(LostReason.LOST_REASON_EVICTED);
        Eventually.until(session::hasEnded);
        TestSession resumed = new TestSession(server.async(), "worker", session.token, true);
        assertThat(resumed.next().getLost().getReason()).isEqualTo(LostReason.LOST_REASON_EVICTED);
    }

    @Test
    void nothingIsAcquiredUnderAnAnchorWithoutItsToken() {
        TestSession session = TestSession.open(server.async(), "worker");
        AcquireRequest.Builder request = under(session, "unit").toBuilder();
        request.getUnderBuilder().setToken(UUID.randomUUID().toString());

        StatusRuntimeException refused = catchThrowableOfType(
                StatusRuntimeException.class, () -> server.blocking().acquire(request.build()));

        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
        assertThat(server.blocking()
                        .get(GetRequest.newBuilder().setName("unit").build())
                        .hasStatus())
                .isFalse();
    }

    @Test
    void aServerThatShutsDownSendsItsSessionsElsewhere() throws Exception {
        TestSession session = TestSession.open(server.async(), "worker");
        Thread ending = new Thread(server::close);
        ending.start();

        assertThat(session.next().hasGoAway()).isTrue();
        TestSession resumed = new TestSession(other.async(), "worker", session.token, true);
        assertThat(resumed.next().hasOpened()).isTrue();
        session.breakOff();
        ending.join(TimeUnit.SECONDS.toMillis(30));

        assertThat(ending.isAlive()).isFalse();
    }
}
