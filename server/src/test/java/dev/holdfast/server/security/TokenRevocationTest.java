package dev.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Duration;
import com.linecorp.armeria.client.WebClient;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.proto.v1.WatchResponse;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.Eventually;
import dev.holdfast.server.TestCalls;
import dev.holdfast.server.TestSession;
import dev.holdfast.server.log.RecordedLog;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A token file that changes while the server runs. */
@Tag("slow")
@Isolated("looks at the whole log")
class TokenRevocationTest {
    private static final String ANN = TokenSecret.create();
    private static final String BOB = TokenSecret.create();
    private static final String EVE = TokenSecret.create();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("tokens");
        write(line("ann", ANN) + line("bob", BOB));
    }

    private void write(String contents) throws IOException {
        Files.writeString(file, contents);
    }

    private static String line(String name, String secret) {
        return name + " " + TokenSecret.hashText(secret) + " admin=*\n";
    }

    private CallerTable callers() {
        return CallerTable.ofFile(file, false);
    }

    private static void look(CallerTable callerTable) {
        callerTable.look();
    }

    private static boolean admits(CallerTable callerTable, String secret) {
        return callerTable.bySecret(secret).isPresent();
    }

    @Test
    void anEmptyFileAdmitsNoCallerOnceTwoChecksAgree() throws IOException {
        CallerTable callerTable = callers();

        write("");
        look(callerTable);
        assertThat(admits(callerTable, ANN)).isTrue();
        look(callerTable);
        assertThat(admits(callerTable, ANN)).isFalse();
        assertThat(callerTable.tokensInForce()).isZero();
    }

    @Test
    void aDeletedFileAdmitsNoCallerOnceTwoChecksAgree() throws IOException {
        CallerTable callerTable = callers();

        Files.delete(file);
        look(callerTable);
        assertThat(admits(callerTable, ANN)).isTrue();
        look(callerTable);
        assertThat(admits(callerTable, ANN)).isFalse();

        write(line("ann", ANN));
        look(callerTable);
        assertThat(admits(callerTable, ANN)).isTrue();
    }

    @Test
    void aFileThatAnEditorTruncatesAndThenWritesLosesNoToken() throws IOException {
        CallerTable callerTable = callers();

        write("");
        look(callerTable);
        write(line("ann", ANN) + line("bob", BOB) + line("eve", EVE));
        look(callerTable);
        look(callerTable);

        assertThat(admits(callerTable, ANN)).isTrue();
        assertThat(admits(callerTable, EVE)).isTrue();
    }

    @Test
    void aRemovalTakesEffectEvenIfTheFileChangesAtEveryCheck() throws IOException {
        CallerTable callerTable = callers();

        write(line("ann", ANN) + "# 1\n");
        look(callerTable);
        write(line("ann", ANN) + "# 2\n");
        look(callerTable);

        assertThat(admits(callerTable, ANN)).isTrue();
        assertThat(admits(callerTable, BOB)).isFalse();
    }

    @Test
    void aBrokenLineAdmitsNoCallerAndDoesNotAffectOtherLines() throws IOException {
        CallerTable callerTable = callers();

        write(line("ann", ANN) + "bob " + TokenSecret.hashText(BOB) + " wirte=*\n" + line("eve", EVE));
        look(callerTable);
        assertThat(admits(callerTable, EVE)).isTrue();
        look(callerTable);

        assertThat(admits(callerTable, ANN)).isTrue();
        assertThat(admits(callerTable, BOB)).isFalse();
        assertThat(callerTable.brokenLines()).isEqualTo(1);

        write(line("ann", ANN));
        look(callerTable);
        assertThat(callerTable.brokenLines()).isZero();
    }

    @Test
    void aNewLastLineWithoutALineBreakWaitsForASecondCheck() throws IOException {
        CallerTable callerTable = callers();
        String half = "eve " + TokenSecret.hashText(EVE) + " lease=ops";

        write(line("ann", ANN) + line("bob", BOB) + half);
        look(callerTable);
        assertThat(admits(callerTable, EVE)).isFalse();

        write(line("ann", ANN) + line("bob", BOB) + half + "-private\n");
        look(callerTable);
        assertThat(callerTable
                        .bySecret(EVE)
                        .orElseThrow()
                        .allow(dev.holdfast.server.security.AccessGuard.Access.LEASE, "ops"))
                .isFalse();

        write(line("ann", ANN) + line("eve", EVE).strip());
        look(callerTable);
        look(callerTable);
        assertThat(callerTable
                        .bySecret(EVE)
                        .orElseThrow()
                        .allow(dev.holdfast.server.security.AccessGuard.Access.LEASE, "ops"))
                .isTrue();
    }

    @Test
    void aFileThatCannotBeReadChangesNothing() throws IOException {
        CallerTable callerTable = callers();

        Files.delete(file);
        Files.createDirectory(file);
        look(callerTable);
        look(callerTable);

        assertThat(admits(callerTable, ANN)).isTrue();
        assertThat(callerTable.isUnreadable()).isTrue();
    }

    @Test
    void aSecretIsReplacedWhileBothLinesOfItsCallerAreThere() throws IOException {
        CallerTable callerTable = callers();

        write(line("ann", ANN) + line("ann", EVE));
        look(callerTable);
        assertThat(callerTable.bySecret(EVE).orElseThrow().name()).isEqualTo("ann");

        write(line("ann", EVE));
        look(callerTable);
        look(callerTable);
        assertThat(admits(callerTable, ANN)).isFalse();
    }

    @Test
    void atTheStartABrokenLineIsAnErrorThatNamesIt() throws IOException {
        write(line("ann", ANN) + "bob\n");
        assertThatIllegalArgumentException()
                .isThrownBy(this::callers)
                .withMessageContaining("tokens, line 2: line: 1 words");

        Files.delete(file);
        assertThatIllegalArgumentException().isThrownBy(this::callers).withMessageContaining("cannot be read");
    }

    @Test
    void aTokenIsFoundQuicklyAmongTenThousand() throws IOException {
        StringBuilder lines = new StringBuilder(line("ann", ANN));
        for (int i = 0; i < 9_999; i++) {
            lines.append(line("caller-" + i, "hf_" + i));
        }
        write(lines.toString());
        CallerTable callerTable = callers();

        // Comparing with each of them took 7 ms: 20,000 lookups would take more than two minutes.
        long begun = System.nanoTime();
        for (int i = 0; i < 20_000; i++) {
            assertThat(callerTable.bySecret(i % 2 == 0 ? ANN : "unknown").isPresent())
                    .isEqualTo(i % 2 == 0);
        }
        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(60));
    }

    /** Here the real file watch runs, every two seconds. */
    @Test
    void allOpenRequestsOfACallerEndWhenItsTokenIsRemoved() throws Exception {
        long before = RecordedLog.written();
        ServerPerimeter serverPerimeter =
                new ServerPerimeter(PerimeterOptions.builder().tokens(file).build());
        try (EdgeServer server =
                EdgeServer.with(serverPerimeter, builder -> builder.drain(java.time.Duration.ofMillis(100)))) {
            LeasesGrpc.LeasesBlockingStub blocking = server.stub(LeasesGrpc.LeasesBlockingStub.class, BOB);
            TestCalls calls = new TestCalls(server.stub(LeasesGrpc.LeasesStub.class, BOB));
            calls.send(TestCalls.acquire(1, "jobs", "held"));
            assertThat(calls.next().getAcquire().hasGranted()).isTrue();
            TestSession session = TestSession.open(server.stub(LeasesGrpc.LeasesStub.class, BOB), "former");
            Iterator<WatchResponse> news = blocking.watch(WatchRequest.getDefaultInstance());
            while (!news.next().getInSync()) {
                // Skips the initial statuses.
            }
            CompletableFuture<String> events = watchEvents(server);
            CompletableFuture<Integer> waitingOverHttp = as(server, BOB)
                    .post("/v1/leases/held/acquire", "{\"namespace\":\"jobs\",\"holder\":\"bob\",\"wait\":\"1h\"}")
                    .aggregate()
                    .thenApply(response -> response.status().code());
            CompletableFuture<Status> waiting = CompletableFuture.supplyAsync(() ->
                    refusal(() -> server.stub(LeasesGrpc.LeasesBlockingStub.class, BOB)
                            .acquire(AcquireRequest.newBuilder()
                                    .setNamespace("jobs")
                                    .setName("held")
                                    .setHolder("bob")
                                    .setWait(Duration.newBuilder().setSeconds(3_600))
                                    .build())));

            write(line("ann", ANN));

            assertThat(calls.end().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
            Eventually.until(session::hasEnded);
            CompletableFuture<Status> watch = CompletableFuture.supplyAsync(() -> refusal(news::next));
            assertThat(watch.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(waiting.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(waitingOverHttp.get(60, TimeUnit.SECONDS)).isEqualTo(401);
            assertThat(events.get(60, TimeUnit.SECONDS)).contains("event: error", "the token is no longer valid");
            assertThat(refusal(() -> blocking.get(GetRequest.newBuilder()
                                    .setNamespace("jobs")
                                    .setName("held")
                                    .build()))
                            .getCode())
                    .isEqualTo(Status.Code.UNAUTHENTICATED);

            String metrics = asAnn(server).get("/metrics").aggregate().join().contentUtf8();
            assertThat(metrics).contains("holdfast_tokens 1.0", "holdfast_tokens_broken 0.0");
        }
        assertThat(RecordedLog.linesAfter(before))
                .filteredOn(line -> !line.logger().startsWith("com.linecorp.armeria.client"))
                .filteredOn(line -> line.error() != null)
                .isEmpty();
    }

    private static WebClient asAnn(EdgeServer server) {
        return as(server, ANN);
    }

    private static WebClient as(EdgeServer server, String secret) {
        return WebClient.builder(server.url())
                .addHeader("authorization", "Bearer " + secret)
                .responseTimeoutMillis(0)
                .build();
    }

    private static CompletableFuture<String> watchEvents(EdgeServer server) {
        return as(server, BOB).get("/v1/watch").aggregate().thenApply(all -> all.contentUtf8());
    }

    private static Status refusal(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, call);
        return refused == null ? Status.OK : refused.getStatus();
    }
}
