package dev.holdfast.server.calls;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.Call;
import dev.holdfast.proto.v1.CallsRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ListRequest;
import dev.holdfast.proto.v1.SessionRequest;
import dev.holdfast.proto.v1.WatchRequest;
import dev.holdfast.proto.v1.WatchResponse;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.extension.ServerDrain;
import dev.holdfast.server.limits.ServerLimits;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.server.wire.PythonCalls;
import dev.holdfast.server.wire.PythonCalls.End;
import dev.holdfast.server.wire.PythonCalls.Mode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rejections as Python's gRPC client sees them, on calls and on every kind of stream. They have their own status and
 * never look like a broken stream, after which a client must assume that its request was applied.
 */
@Tag("slow")
class PythonRefusalTest {
    /** Each call is repeated this often, because the end of a stream is a race. */
    private static final int TIMES = 10;

    private static final String LEASES = "/holdfast.v1.Leases/";
    private static final String TOKEN = "hf_reader";
    private static final Map<String, String> READER = Map.of("authorization", "Bearer " + TOKEN);

    @TempDir
    Path folder;

    @BeforeAll
    static void requirePython() {
        PythonCalls.assumeInstalled(PythonRefusalTest.class);
    }

    /** One kind of call. */
    private record Kind(String path, Mode mode, Message request) {}

    private static final AcquireRequest ACQUIRE = AcquireRequest.newBuilder()
            .setNamespace("secret")
            .setName("a")
            .setHolder("me")
            .build();

    private static final Kind UNARY = new Kind(LEASES + "Acquire", Mode.UNARY, ACQUIRE);
    private static final Kind LIST = new Kind(
            LEASES + "List",
            Mode.SERVER,
            ListRequest.newBuilder().setPrefix("secret").build());
    private static final Kind WATCH = new Kind(
            LEASES + "Watch",
            Mode.SERVER,
            WatchRequest.newBuilder().setPrefix("secret").build());
    private static final Kind CALLS = new Kind(
            LEASES + "Calls",
            Mode.OPEN,
            CallsRequest.newBuilder()
                    .addCalls(Call.newBuilder().setNumber(1).setAcquire(ACQUIRE))
                    .build());
    private static final Kind SILENT_CALLS = new Kind(LEASES + "Calls", Mode.SILENT, CallsRequest.getDefaultInstance());
    private static final Kind SESSION = new Kind(
            LEASES + "Session",
            Mode.OPEN,
            SessionRequest.newBuilder()
                    .setOpen(SessionRequest.Open.newBuilder()
                            .setHolder("me")
                            .setToken(new UUID(1, 2).toString())
                            .setTerm(Duration.newBuilder().setSeconds(10)))
                    .build());
    private static final Kind SILENT_SESSION =
            new Kind(LEASES + "Session", Mode.SILENT, SessionRequest.getDefaultInstance());

    private static final List<Kind> ALL = List.of(UNARY, LIST, WATCH, CALLS, SILENT_CALLS, SESSION, SILENT_SESSION);

    private ServerPerimeter guarded() throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(StandardCharsets.UTF_8));
        Path tokens = folder.resolve("tokens");
        Files.writeString(tokens, "reader sha256:" + HexFormat.of().formatHex(hash) + " read=public\n");
        return new ServerPerimeter(PerimeterOptions.builder().tokens(tokens).build());
    }

    /** Makes all calls and returns their status codes, without duplicates. */
    private static Set<String> codes(PythonCalls python, List<Kind> kinds, Map<String, String> metadata)
            throws Exception {
        Set<String> codes = new java.util.LinkedHashSet<>();
        for (Kind kind : kinds) {
            for (End end : python.call(kind.path, kind.mode, kind.request, metadata, TIMES)) {
                codes.add(kind.path + " " + kind.mode + ": " + end.code());
            }
        }
        return codes;
    }

    private static Set<String> all(List<Kind> kinds, String code) {
        Set<String> codes = new java.util.LinkedHashSet<>();
        kinds.forEach(kind -> codes.add(kind.path + " " + kind.mode + ": " + code));
        return codes;
    }

    @Test
    void callersWithoutAKnownTokenAreRefusedAsUnauthenticated() throws Exception {
        try (EdgeServer server = EdgeServer.with(guarded(), builder -> builder);
                PythonCalls python = new PythonCalls(server.port())) {
            assertThat(codes(python, ALL, Map.of())).isEqualTo(all(ALL, "UNAUTHENTICATED"));
            assertThat(codes(python, ALL, Map.of("authorization", "Bearer hf_other")))
                    .isEqualTo(all(ALL, "UNAUTHENTICATED"));
        }
    }

    /** Each call on a Calls stream gets its own response; the stream continues. */
    @Test
    void callersWithoutPermissionAreRefusedAsSuch() throws Exception {
        List<Kind> kinds = List.of(UNARY, LIST, WATCH, SESSION);
        try (EdgeServer server = EdgeServer.with(guarded(), builder -> builder);
                PythonCalls python = new PythonCalls(server.port())) {
            assertThat(codes(python, kinds, READER)).isEqualTo(all(kinds, "PERMISSION_DENIED"));
        }
    }

    @Test
    void requestsBeyondALimitAreRefusedWithAdvice() throws Exception {
        ServerLimits limits = ServerLimits.builder().requests(1).build();
        try (EdgeServer server = EdgeServer.with(
                        PerimeterOptions.builder().limits(limits).build());
                PythonCalls python = new PythonCalls(server.port())) {
            Iterator<WatchResponse> watch =
                    server.stub(LeasesGrpc.LeasesBlockingStub.class).watch(WatchRequest.getDefaultInstance());
            assertThat(watch.next().getInSync()).isTrue();

            for (Kind kind : ALL) {
                for (End end : python.call(kind.path, kind.mode, kind.request, Map.of(), TIMES)) {
                    assertThat(end.code()).as("%s %s", kind.path, kind.mode).isEqualTo("RESOURCE_EXHAUSTED");
                    assertThat(end.message()).isEqualTo(end.details().getMessage());
                    assertThat(details(end)).containsExactlyInAnyOrder("REQUESTS of holdfast.dev", "retry after 1 s");
                }
            }
        }
    }

    private static List<String> details(End end) throws Exception {
        List<String> found = new ArrayList<>();
        for (Any detail : end.details().getDetailsList()) {
            if (detail.is(ErrorInfo.class)) {
                ErrorInfo info = detail.unpack(ErrorInfo.class);
                found.add(info.getReason() + " of " + info.getDomain());
            } else {
                found.add("retry after "
                        + detail.unpack(RetryInfo.class).getRetryDelay().getSeconds() + " s");
            }
        }
        return found;
    }

    @Test
    void clientsOfAnotherProtocolAreRefusedBeforeAnythingIsDone() throws Exception {
        Map<String, String> tooNew = Map.of("holdfast-protocol", "9", "holdfast-protocol-min", "9");
        try (EdgeServer server = new EdgeServer(builder -> builder);
                PythonCalls python = new PythonCalls(server.port())) {
            assertThat(codes(python, ALL, tooNew)).isEqualTo(all(ALL, "FAILED_PRECONDITION"));
        }
    }

    @Test
    void aServerThatShutsDownSendsStreamsElsewhere() throws Exception {
        Kind waiting = new Kind(
                LEASES + "Acquire",
                Mode.UNARY,
                ACQUIRE.toBuilder()
                        .setWait(Duration.newBuilder().setSeconds(60))
                        .build());
        List<Kind> kinds = List.of(waiting, WATCH, CALLS, SILENT_CALLS, SESSION);
        AtomicReference<ServerDrain> drain = new AtomicReference<>();
        try (EdgeServer server =
                        new EdgeServer(builder -> builder.with((armeria, leases) -> drain.set(leases.drain())));
                PythonCalls python = new PythonCalls(server.port())) {
            Objects.requireNonNull(drain.get()).begin();

            for (Kind kind : kinds) {
                for (End end : python.call(kind.path, kind.mode, kind.request, Map.of(), TIMES)) {
                    assertThat(end.code()).as("%s %s", kind.path, kind.mode).isEqualTo("UNAVAILABLE");
                    assertThat(details(end)).containsExactly("DRAINING of holdfast.dev");
                }
            }
        }
    }
}
