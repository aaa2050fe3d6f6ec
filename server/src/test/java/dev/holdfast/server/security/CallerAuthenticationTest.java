package dev.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AcquireResponse;
import dev.holdfast.proto.v1.EvictRequest;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.LeaseStatus;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ListRequest;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.proto.v1.WatchResponse;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.Eventually;
import dev.holdfast.server.TestCalls;
import dev.holdfast.server.TestSession;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tokens, over both protocols. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallerAuthenticationTest {
    private static final String WORKER = TokenSecret.create();
    private static final String OTHER = TokenSecret.create();
    private static final String READER = TokenSecret.create();
    private static final String OPERATOR = TokenSecret.create();

    private final CallerTable callerTable;
    private final Path file;
    private EdgeServer server;

    CallerAuthenticationTest(@TempDir Path folder) throws IOException {
        file = folder.resolve("tokens");
        write();
        callerTable = CallerTable.ofFile(file, false);
    }

    private void write(String... more) throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                line("worker", WORKER, "lease=jobs"),
                line("other", OTHER, "lease=other"),
                line("reader", READER, "read=jobs,other"),
                line("operator", OPERATOR, "admin=*")));
        lines.addAll(List.of(more));
        Files.write(file, lines);
    }

    private static String line(String name, String secret, String may) {
        return name + " " + TokenSecret.hashText(secret) + " " + may;
    }

    @BeforeAll
    void start() {
        server = new EdgeServer(builder -> builder.guard(AccessGuard.BY_CALLER)
                .with((to, leases) -> new CallerAuthentication(callerTable).extend(to)));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private LeasesGrpc.LeasesBlockingStub as(String secret) {
        return server.stub(LeasesGrpc.LeasesBlockingStub.class, secret);
    }

    private static AcquireRequest ask(String namespace, String name) {
        return AcquireRequest.newBuilder()
                .setNamespace(namespace)
                .setName(name)
                .setHolder("ann")
                .build();
    }

    private static GetRequest get(String namespace, String name, boolean withToken) {
        return GetRequest.newBuilder()
                .setNamespace(namespace)
                .setName(name)
                .setWithToken(withToken)
                .build();
    }

    private static void isRefused(Status.Code code, String message, ThrowingCallable call) {
        Status status = catchThrowableOfType(StatusRuntimeException.class, call).getStatus();
        assertThat(status.getCode()).isEqualTo(code);
        assertThat(status.getDescription()).isEqualTo(message);
    }

    @Test
    void requestsWithoutATokenOrWithAWrongOneAreRejected() {
        isRefused(
                Status.Code.UNAUTHENTICATED,
                "a token is required in the header authorization: Bearer TOKEN",
                () -> server.stub(LeasesGrpc.LeasesBlockingStub.class).acquire(ask("jobs", "a")));
        isRefused(
                Status.Code.UNAUTHENTICATED,
                "unknown token",
                () -> as(TokenSecret.create()).acquire(ask("jobs", "a")));
    }

    @Test
    void httpRequestsAreRejectedWithHttpStatuses() {
        AggregatedHttpResponse refused =
                server.http().get("/v1/leases/a").aggregate().join();

        assertThat(refused.status().code()).isEqualTo(401);
        assertThat(refused.headers().get("www-authenticate")).isEqualTo("Bearer");
        assertThat(refused.contentUtf8()).contains("\"error\":\"unauthenticated\"");
        assertThat(server.http().get("/health/live").aggregate().join().status().code())
                .isEqualTo(404);
    }

    @Test
    void eachCallerMayLeaseInItsNamespaceOnly() {
        assertThat(as(WORKER).acquire(ask("jobs", "mine")).hasGranted()).isTrue();
        isRefused(
                Status.Code.PERMISSION_DENIED,
                "worker may not lease in namespace \"other\"",
                () -> as(WORKER).acquire(ask("other", "mine")));
        isRefused(
                Status.Code.PERMISSION_DENIED,
                "reader may not lease in namespace \"jobs\"",
                () -> as(READER).acquire(ask("jobs", "mine")));
        assertThat(as(READER).get(get("jobs", "mine", false)).getStatus().getName())
                .isEqualTo("mine");
    }

    @Test
    void onlyAnAdministratorMaySeeTheTokenOfAnothersLease() {
        AcquireResponse granted = as(WORKER).acquire(ask("jobs", "secret"));

        assertThat(as(READER)
                        .get(get("jobs", "secret", false))
                        .getStatus()
                        .getGrant()
                        .getToken())
                .isEmpty();
        isRefused(
                Status.Code.PERMISSION_DENIED,
                "reader may not administer in namespace \"jobs\"",
                () -> as(READER).get(get("jobs", "secret", true)));
        isRefused(
                Status.Code.PERMISSION_DENIED,
                "worker may not administer in namespace \"jobs\"",
                () -> as(WORKER).get(get("jobs", "secret", true)));
        assertThat(as(OPERATOR)
                        .get(get("jobs", "secret", false))
                        .getStatus()
                        .getGrant()
                        .getToken())
                .isEmpty();
        assertThat(as(OPERATOR)
                        .get(get("jobs", "secret", true))
                        .getStatus()
                        .getGrant()
                        .getToken())
                .isEqualTo(granted.getGranted().getToken());
    }

    @Test
    void theTokenOfALeaseDoesNotReplaceThePermissionToReleaseIt() {
        String token = as(WORKER).acquire(ask("jobs", "kept")).getGranted().getToken();
        ReleaseRequest release = ReleaseRequest.newBuilder()
                .setNamespace("jobs")
                .setName("kept")
                .setToken(token)
                .build();

        isRefused(
                Status.Code.PERMISSION_DENIED,
                "other may not lease in namespace \"jobs\"",
                () -> as(OTHER).release(release));
        assertThat(as(WORKER).release(release).getReleased()).isTrue();
    }

    @Test
    void aListShowsOnlyKeysThatTheCallerMayRead() {
        as(WORKER).acquire(ask("jobs", "mine"));
        as(OTHER).acquire(ask("other", "mine"));

        assertThat(list(WORKER, "")).extracting(LeaseStatus::getNamespace).containsOnly("jobs");
        assertThat(list(OPERATOR, "")).extracting(LeaseStatus::getNamespace).contains("jobs", "other");
        isRefused(
                Status.Code.PERMISSION_DENIED,
                "worker may not read in any namespace that begins with \"other\"",
                () -> list(WORKER, "other"));
    }

    private List<LeaseStatus> list(String secret, String prefix) {
        List<LeaseStatus> statuses = new ArrayList<>();
        as(secret)
                .list(ListRequest.newBuilder().setPrefix(prefix).build())
                .forEachRemaining(page -> statuses.addAll(page.getStatusesList()));
        return statuses;
    }

    @Test
    void aWatchSendsOnlyKeysThatTheCallerMayRead() {
        as(WORKER).acquire(ask("jobs", "watched"));
        as(OTHER).acquire(ask("other", "watched"));

        List<LeaseStatus> seen = new ArrayList<>();
        for (Iterator<WatchResponse> news = as(WORKER).watch(WatchRequest.getDefaultInstance()); news.hasNext(); ) {
            WatchResponse next = news.next();
            seen.addAll(next.getStatusesList());
            if (next.getInSync()) {
                break;
            }
        }
        assertThat(seen).extracting(LeaseStatus::getNamespace).containsOnly("jobs");
        assertThat(seen).allMatch(status -> status.getGrant().getToken().isEmpty());
    }

    @Test
    void aCallerThatMayLeaseMayNotEvictOrReopen() {
        as(WORKER).acquire(ask("jobs", "evicted"));
        EvictRequest evict = EvictRequest.newBuilder()
                .setNamespace("jobs")
                .setName("evicted")
                .setReason("test")
                .build();

        isRefused(
                Status.Code.PERMISSION_DENIED,
                "worker may not administer in namespace \"jobs\"",
                () -> as(WORKER).evict(evict));
        assertThat(as(OPERATOR).evict(evict).hasChanged()).isTrue();
    }

    @Test
    void aRevokedCallerIsNotServedOnItsOpenStreams() throws Exception {
        String former = TokenSecret.create();
        write(line("former", former, "lease=jobs"));
        callerTable.look();
        TestCalls calls = new TestCalls(server.stub(LeasesGrpc.LeasesStub.class, former));
        calls.send(TestCalls.acquire(1, "jobs", "streamed"));
        assertThat(calls.next().getAcquire().hasGranted()).isTrue();
        TestSession session = TestSession.open(server.stub(LeasesGrpc.LeasesStub.class, former), "former");
        Iterator<WatchResponse> news = as(former).watch(WatchRequest.getDefaultInstance());
        while (!news.next().getInSync()) {
            // Skips the initial statuses.
        }

        write();
        callerTable.look();
        callerTable.look();

        assertThat(calls.end().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        Eventually.until(session::hasEnded);
        isRefused(Status.Code.UNAUTHENTICATED, "the token is no longer valid", () -> news.next());
    }
}
