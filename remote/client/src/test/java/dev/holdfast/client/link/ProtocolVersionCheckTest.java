package dev.holdfast.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.client.credentials.LinkSecurity;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.GetResponse;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.ReleaseRequest;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ProtocolVersionGate;
import dev.holdfast.server.extension.ServerExtension;
import dev.holdfast.support.Futures;
import dev.holdfast.support.StoreUrl.UrlHost;
import dev.holdfast.wire.ProtocolVersion;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients and servers that are too new for each other get a clear error at once, over gRPC and over plain HTTP. A
 * server takes two seconds to stop, so tests run concurrently.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class ProtocolVersionCheckTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final ProtocolVersion NEWER = new ProtocolVersion(2, 2);
    private static final String OLD_CLIENT = "the client speaks version 1 of the protocol, and the server, which speaks"
            + " version 2, needs version 2 at least; upgrade the client";
    private static final String OLD_SERVER = "the server speaks version 1 of the protocol, and the client, which speaks"
            + " version 2, needs version 2 at least; upgrade the server";

    /** A server from before protocol versions existed: it neither reads nor sends them. */
    private static final ServerExtension UNVERSIONED = (server, parts) -> server.decorator((delegate, ctx, request) -> {
        var response = delegate.serve(
                ctx,
                request.withHeaders(request.headers()
                        .withMutations(headers -> headers.removeAndThen(ProtocolVersion.VERSION_HEADER)
                                .removeAndThen(ProtocolVersion.OLDEST_PEER_HEADER))));
        ctx.mutateAdditionalResponseHeaders(headers -> {
            headers.remove(ProtocolVersion.VERSION_HEADER);
            headers.remove(ProtocolVersion.OLDEST_PEER_HEADER);
        });
        return response;
    });

    private static HoldfastServer start(ServerExtension extension) {
        HoldfastServer server = HoldfastServer.builder()
                .store("memory:")
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .drain(Duration.ofMillis(100))
                .with(extension)
                .build();
        server.start();
        return server;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatIsTooNewRejectsAClientAtOnce(boolean background) throws Exception {
        LeasesOptions.Builder options = LeasesOptions.builder().operationTimeout(LONG);
        try (HoldfastServer server = start(new ProtocolVersionGate(NEWER));
                Leases leases = Holdfast.open(
                        "http://127.0.0.1:" + server.address().getPort(),
                        background ? options.build() : options.withoutThreads().build())) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> leases.tryAcquire("a"))
                    .satisfies(e -> assertThat(e.isRetryable()).isFalse())
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.NOT_APPLIED))
                    .withMessageContaining(OLD_CLIENT);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> leases.acquire(Key.of("a"), AcquireOptions.defaults(), LONG))
                    .withMessageContaining(OLD_CLIENT);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> leases.get(Key.of("a")))
                    .withMessageContaining(OLD_CLIENT);
        }
    }

    @Test
    void aServerRejectsAClientThatIsTooNewForIt() {
        try (HoldfastServer server = start((builder, parts) -> {})) {
            assertRejected(server, OLD_SERVER);
        }
    }

    @Test
    void aClientRejectsAServerFromBeforeThereWereVersions() {
        try (HoldfastServer server = start(UNVERSIONED)) {
            assertRejected(server, OLD_SERVER);
        }
    }

    @Test
    void aNewerPairThatStillWorksWithOlderOnesDoes() {
        ProtocolVersion lenient = new ProtocolVersion(9, 1);
        try (HoldfastServer server = start(UNVERSIONED);
                ServerLinks serverLinks = GrpcLinks.open(addresses(server), open(), 0, lenient)) {
            assertThat(get(serverLinks)).isEqualTo(GetResponse.getDefaultInstance());
        }
        try (HoldfastServer server = start(new ProtocolVersionGate(lenient));
                ServerLinks serverLinks = GrpcLinks.open(addresses(server), open(), 0, ProtocolVersion.CURRENT)) {
            assertThat(get(serverLinks)).isEqualTo(GetResponse.getDefaultInstance());
        }
    }

    private static LinkSecurity open() {
        return new LinkSecurity(false, null, null, null, null);
    }

    private static List<UrlHost> addresses(HoldfastServer server) {
        return List.of(new UrlHost("127.0.0.1", server.address().getPort()));
    }

    private static GetResponse get(ServerLinks serverLinks) {
        return serverLinks
                .current()
                .call(
                        LeasesGrpc.getGetMethod(),
                        GetRequest.newBuilder().setName("a").build(),
                        LONG)
                .join();
    }

    private static void assertRejected(HoldfastServer server, String message) {
        ReleaseRequest streamed = ReleaseRequest.newBuilder()
                .setName("a")
                .setToken("6f1c9bb0-55a0-4c0d-9d4f-2d7dbb8ec0de")
                .build();
        GetRequest alone = GetRequest.newBuilder().setName("a").build();
        try (ServerLinks grpc = GrpcLinks.open(addresses(server), open(), 0, NEWER);
                ServerLinks http = HttpServerLink.open(addresses(server), open(), 0, NEWER)) {
            assertRejected(grpc, LeasesGrpc.getGetMethod(), alone, message);
            assertRejected(grpc, LeasesGrpc.getReleaseMethod(), streamed, message);
            assertRejected(http, LeasesGrpc.getGetMethod(), alone, message);
        }
    }

    private static <Q> void assertRejected(
            ServerLinks serverLinks, MethodDescriptor<Q, ?> method, Q request, String message) {
        Throwable error = serverLinks
                .current()
                .call(method, request, LONG)
                .handle((answer, failure) -> Futures.cause(failure))
                .join();
        assertThat(error).isInstanceOfSatisfying(LinkException.class, failure -> {
            assertThat(failure.status().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(failure.description()).isEqualTo(message);
        });
    }
}
