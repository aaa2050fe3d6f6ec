package dev.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Duration;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.Token;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.DeleteRequest;
import dev.holdfast.proto.v1.EvictRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.RenewRequest;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.TestSession;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Term;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of two tenants of one server: they do not interfere with each other. */
@Tag("slow")
class SessionTenantsTest {
    private static final String FIRST = TokenSecret.create();
    private static final String SECOND = TokenSecret.create();
    private static final String FLEET = TokenSecret.create();

    @TempDir
    private Path folder;

    private Leases leases;
    private EdgeServer server;

    @BeforeEach
    void start() throws IOException {
        Path tokens = Files.writeString(
                folder.resolve("tokens"),
                "t1 " + TokenSecret.hashText(FIRST) + " lease=t1/*\n" //
                        + "t2 " + TokenSecret.hashText(SECOND) + " lease=t2/*\n"
                        + "crew " + TokenSecret.hashText(FLEET) + " lease=fleet/crew,fleet/crew/*\n");
        leases = Holdfast.open("memory:");
        server = EdgeServer.with(
                new ServerPerimeter(PerimeterOptions.builder().tokens(tokens).build()),
                builder -> builder.leases(leases).drain(java.time.Duration.ofMillis(100)));
    }

    @AfterEach
    void stop() {
        server.close();
        leases.close();
    }

    private LeasesGrpc.LeasesBlockingStub as(String secret) {
        return server.stub(LeasesGrpc.LeasesBlockingStub.class, secret);
    }

    private LeasesGrpc.LeasesStub asyncAs(String secret) {
        return server.stub(LeasesGrpc.LeasesStub.class, secret);
    }

    private static AcquireRequest anchor(String name) {
        return AcquireRequest.newBuilder()
                .setNamespace("~anchors")
                .setName(name)
                .setHolder(name)
                .setTerm(Duration.newBuilder().setSeconds(7 * 86_400))
                .build();
    }

    private AggregatedHttpResponse post(String secret, String path, String body) {
        return WebClient.builder(server.url())
                .addHeader("authorization", "Bearer " + secret)
                .build()
                .post(path, body)
                .aggregate()
                .join();
    }

    private static Status.Code refusal(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call)
                .getStatus()
                .getCode();
    }

    private static void isAlive(TestSession session, long number) {
        session.beat(number);
        assertThat(session.next().getAcknowledged().getNumber()).isEqualTo(number);
    }

    @Test
    void aCallerThatComesFirstDoesNotOccupyTheNameOfAnother() {
        assertThat(as(SECOND).acquire(anchor("svc")).hasGranted()).isTrue();

        TestSession session = TestSession.open(asyncAs(FIRST), "svc");
        isAlive(session, 2);
    }

    @Test
    void aCallerThatComesFirstOverHttpDoesNotOccupyTheNameOfAnother() {
        AggregatedHttpResponse taken = post(
                SECOND, "/v1/leases/svc/acquire", "{\"namespace\":\"~anchors\",\"holder\":\"svc\",\"term\":\"7d\"}");
        assertThat(taken.status().code()).isEqualTo(200);

        AggregatedHttpResponse mine = post(
                FIRST, "/v1/leases/svc/acquire", "{\"namespace\":\"~anchors\",\"holder\":\"svc\",\"term\":\"7d\"}");
        assertThat(mine.status().code()).isEqualTo(200);
        assertThat(TestSession.open(asyncAs(FIRST), "other")).isNotNull();
    }

    @Test
    void aNameStaysWithItsCallerBetweenTwoSessions() {
        TestSession before = TestSession.open(asyncAs(FIRST), "svc");
        before.close();
        assertThat(before.next().getClosed().getReleased()).isTrue();

        assertThat(as(SECOND).acquire(anchor("svc")).hasGranted()).isTrue();

        isAlive(TestSession.open(asyncAs(FIRST), "svc"), 2);
    }

    @Test
    void oneCallerHasANameOnce() {
        TestSession session = TestSession.open(asyncAs(FIRST), "svc");
        assertThat(as(FIRST).acquire(anchor("svc")).hasHeld()).isTrue();
        as(SECOND).acquire(anchor("svc"));
        assertThat(as(SECOND).acquire(anchor("svc")).hasHeld()).isTrue();
        isAlive(session, 2);
    }

    @Test
    void aClientThatStopsWaitingForANameIsNotGrantedIt() {
        TestSession session = TestSession.open(asyncAs(FIRST), "svc");
        AcquireRequest waiting = anchor("svc").toBuilder()
                .setWait(Duration.newBuilder().setSeconds(60))
                .build();
        assertThat(refusal(() ->
                        as(FIRST).withDeadlineAfter(300, TimeUnit.MILLISECONDS).acquire(waiting)))
                .isEqualTo(Status.Code.DEADLINE_EXCEEDED);

        session.close();
        assertThat(session.next().getClosed().getReleased()).isTrue();

        long grants = as(FIRST).acquire(waiting).getGranted().getStatus().getGrants();
        assertThat(grants).as("one grant for the session, one for this call").isEqualTo(2);
    }

    @Test
    void theSessionOfAnotherCallerCannotBeChangedEvenWithItsToken() {
        TestSession session = TestSession.open(asyncAs(FIRST), "svc");
        String token = session.token;

        assertThat(as(SECOND)
                        .release(ReleaseRequest.newBuilder()
                                .setNamespace("~anchors")
                                .setName("svc")
                                .setToken(token)
                                .build())
                        .getReleased())
                .isFalse();
        assertThat(refusal(() -> as(SECOND)
                        .renew(RenewRequest.newBuilder()
                                .setNamespace("~anchors")
                                .setName("svc")
                                .setToken(token)
                                .setTerm(Duration.newBuilder().setSeconds(1))
                                .build())))
                .isEqualTo(Status.Code.ABORTED);
        assertThat(refusal(() -> as(SECOND)
                        .update(UpdateRequest.newBuilder()
                                .setNamespace("~anchors")
                                .setName("svc")
                                .setToken(token)
                                .build())))
                .isEqualTo(Status.Code.ABORTED);
        assertThat(as(SECOND)
                        .delete(DeleteRequest.newBuilder()
                                .setNamespace("~anchors")
                                .setName("svc")
                                .setToken(token)
                                .build())
                        .hasChanged())
                .isFalse();
        assertThat(refusal(() -> as(SECOND)
                        .evict(EvictRequest.newBuilder()
                                .setNamespace("~anchors")
                                .setName("svc")
                                .setReason("a test")
                                .build())))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal(() -> as(SECOND)
                        .delete(DeleteRequest.newBuilder()
                                .setNamespace("~anchors")
                                .setName("svc")
                                .build())))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal(() -> as(SECOND)
                        .acquire(AcquireRequest.newBuilder()
                                .setNamespace("t2/x")
                                .setName("unit")
                                .setHolder("svc")
                                .setUnder(session.proof())
                                .build())))
                .isEqualTo(Status.Code.ABORTED);
        TestSession stolen = new TestSession(asyncAs(SECOND), "svc", token, true);
        assertThat(stolen.next().hasLost()).isTrue();

        isAlive(session, 2);
    }

    @Test
    void theKeysOfAnothersSessionsCannotBeNamedDirectly() {
        as(FIRST).acquire(anchor("svc"));
        as(SECOND).acquire(anchor("svc"));

        assertThat(refusal(() -> as(FIRST)
                        .acquire(anchor("svc").toBuilder()
                                .setNamespace("~anchors//t2")
                                .build())))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal(() -> as(SECOND)
                        .acquire(anchor("svc").toBuilder()
                                .setNamespace("~anchors//t1")
                                .build())))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    /** Acts as a client that knows nothing about keys beyond the protocol. */
    @Test
    void aSessionWithANameUsedFirstByAnotherCallerWorksLikeAnyOther() {
        as(SECOND).acquire(anchor("svc"));
        TestSession session = TestSession.open(asyncAs(FIRST), "svc");

        AcquireResponse unit = as(FIRST)
                .acquire(AcquireRequest.newBuilder()
                        .setNamespace("t1/x")
                        .setName("unit")
                        .setHolder("svc")
                        .setUnder(session.proof())
                        .build());
        assertThat(unit.hasGranted()).isTrue();
        assertThat(as(FIRST)
                        .renew(RenewRequest.newBuilder()
                                .setNamespace("~anchors")
                                .setName("svc")
                                .setToken(session.token)
                                .build())
                        .hasStatus())
                .isTrue();
        TestSession resumed = new TestSession(asyncAs(FIRST), "svc", session.token, true);
        assertThat(resumed.next().hasOpened()).isTrue();
        isAlive(resumed, 2);
        assertThat(as(FIRST)
                        .release(ReleaseRequest.newBuilder()
                                .setNamespace("~anchors")
                                .setName("svc")
                                .setToken(session.token)
                                .build())
                        .getReleased())
                .isTrue();
        session.beat(3);
        assertThat(session.next().hasLost()).isTrue();
    }

    @Test
    void anAnchorWithoutARecordedCallerStaysWithItsHolder() {
        String token = UUID.randomUUID().toString();
        LeaseService.of(leases)
                .acquire(
                        Key.of("~anchors", "svc"),
                        new LeaseRequest.Acquire(
                                Token.parse(token),
                                Holder.of("svc"),
                                Term.of(java.time.Duration.ofHours(1)),
                                AttributePatch.NONE,
                                null),
                        0)
                .join();

        TestSession resumed = new TestSession(asyncAs(FIRST), "svc", token, true);
        assertThat(resumed.next().hasOpened()).isTrue();
        isAlive(resumed, 2);

        TestSession stolen = new TestSession(asyncAs(SECOND), "svc", token, true);
        assertThat(stolen.next().hasLost()).isTrue();
        assertThat(as(FIRST).acquire(anchor("svc")).hasHeld()).isTrue();
    }

    @Test
    void aCallerThatPutsTheNameOfAnotherOnItsAnchorDoesNotGiveItAway() {
        AcquireResponse granted = as(FIRST)
                .acquire(anchor("svc").toBuilder()
                        .putAttributes(
                                "~caller",
                                dev.holdfast.proto.v1.AttributeValue.newBuilder()
                                        .setText("t2")
                                        .build())
                        .build());

        assertThat(granted.getGranted()
                        .getStatus()
                        .getAttributesOrThrow("~caller")
                        .getText())
                .isEqualTo("t1");
    }

    @Test
    void onlyMembersOfAFleetLeaseAndDeleteTheAnchorsOfItsWorkers() {
        AcquireRequest worker = anchor("crew/ann").toBuilder()
                .setNamespace("~anchors/crew/")
                .setName("ann")
                .setTerm(Duration.newBuilder().setNanos(1_000_000))
                .build();
        DeleteRequest free = DeleteRequest.newBuilder()
                .setNamespace("~anchors/crew/")
                .setName("ann")
                .build();

        assertThat(refusal(() -> as(FIRST).acquire(worker))).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(as(FLEET).acquire(worker).hasGranted()).isTrue();
        assertThat(refusal(() -> as(FIRST).delete(free))).isEqualTo(Status.Code.PERMISSION_DENIED);
        dev.holdfast.server.Eventually.until(() -> as(FLEET).delete(free).hasChanged());
        assertThat(as(FLEET)
                        .acquire(worker.toBuilder()
                                .setTerm(Duration.newBuilder().setSeconds(3_600))
                                .build())
                        .hasGranted())
                .isTrue();
        assertThat(as(FLEET).delete(free).hasHeld()).isTrue();
        assertThat(refusal(() -> as(FLEET)
                        .acquire(worker.toBuilder()
                                .setNamespace("~anchors/other/")
                                .setHolder("other/ann")
                                .build())))
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }
}
