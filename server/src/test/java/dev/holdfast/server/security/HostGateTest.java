package dev.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.limits.RawClient;
import dev.holdfast.server.operations.PerimeterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a web page of another site makes a browser send to a server on the same machine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostGateTest {
    private static final String EVIL = "evil.example:7475";
    private static final String ACQUIRE = "{\"holder\":\"page\"}";

    private EdgeServer server;

    @BeforeAll
    void start() {
        server = EdgeServer.with(PerimeterOptions.builder()
                .allowedHosts(List.of("Holdfast.internal."))
                .build());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** The status of a request over HTTP/1.1 with these lines as its headers. */
    private int plain(String method, String path, String headers, String body) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(method + " " + path + " HTTP/1.1\r\n" + headers + "connection: close\r\ncontent-length: "
                    + body.length() + "\r\n\r\n" + body);
            return Integer.parseInt(client.line().substring(9, 12));
        }
    }

    private int plain(String path, String host) throws IOException {
        return plain("GET", path, "host: " + host + "\r\n", "");
    }

    /** The response to a request over HTTP/2. */
    private AggregatedHttpResponse multiplexed(String path, String contentType, String host, String origin) {
        RequestHeadersBuilder headers = RequestHeaders.builder(HttpMethod.POST, path)
                .set(HttpHeaderNames.AUTHORITY, host)
                .set(HttpHeaderNames.CONTENT_TYPE, contentType);
        if (!origin.isEmpty()) {
            headers.set(HttpHeaderNames.ORIGIN, origin);
        }
        byte[] message = AcquireRequest.newBuilder()
                .setName("multiplexed")
                .setHolder("page")
                .build()
                .toByteArray();
        byte[] framed = new byte[message.length + 5];
        framed[4] = (byte) message.length;
        System.arraycopy(message, 0, framed, 5, message.length);
        return WebClient.of("h2c://127.0.0.1:" + server.port())
                .execute(HttpRequest.of(headers.build(), HttpData.wrap(framed)))
                .aggregate()
                .join();
    }

    private static String grpcStatus(AggregatedHttpResponse response) {
        return response.trailers().get("grpc-status", response.headers().get("grpc-status", "none"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/leases",
                "/v1/leases?withTokens=true",
                "/v1/watch",
                "/v1/openapi.json",
                "/metrics",
                "/nothing/here"
            })
    void aPageThatPointsItsOwnNameHereReadsNothing(String path) throws IOException {
        assertThat(plain(path, EVIL)).isEqualTo(403);
    }

    @Test
    void aPageThatPointsItsOwnNameHereChangesNothing() throws IOException {
        String page = "host: " + EVIL + "\r\norigin: http://" + EVIL + "\r\ncontent-type: text/plain\r\n";

        assertThat(plain("POST", "/v1/leases/a/acquire", page, ACQUIRE)).isEqualTo(403);
        assertThat(plain("POST", "/v1/leases/a/evict", page, "{\"reason\":\"page\"}"))
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/holdfast.v1.Leases/Acquire",
                "/blacksquaremedia.accord.V1/Acquire",
                "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
            })
    void aPageThatPointsItsOwnNameHereIsRejectedOverEveryKindOfGrpc(String path) {
        for (String type : List.of("application/grpc", "application/grpc-web+proto", "application/grpc-web-text")) {
            assertThat(grpcStatus(multiplexed(path, type, EVIL, ""))).as(type).isEqualTo("7");
        }
    }

    @Test
    void aPageOfAnotherSiteIsRejectedOnEveryProtocol() throws IOException {
        String local = "127.0.0.1:" + server.port();
        for (String origin :
                List.of("http://evil.example", "null", "http://localhost:1", "http://" + local + ".evil.example")) {
            assertThat(plain(
                            "POST",
                            "/v1/leases/a/acquire",
                            "host: " + local + "\r\norigin: " + origin + "\r\n",
                            ACQUIRE))
                    .as(origin)
                    .isEqualTo(403);
            assertThat(grpcStatus(
                            multiplexed("/holdfast.v1.Leases/Acquire", "application/grpc-web+proto", local, origin)))
                    .as(origin)
                    .isEqualTo("7");
        }
    }

    @Test
    void aPageOfTheServerItselfOrOfAnAllowedHostIsAccepted() throws IOException {
        String local = "127.0.0.1:" + server.port();
        for (String origin : List.of("http://" + local, "https://holdfast.internal", "http://HOLDFAST.internal:8080")) {
            assertThat(plain("GET", "/v1/leases", "host: " + local + "\r\norigin: " + origin + "\r\n", ""))
                    .as(origin)
                    .isEqualTo(200);
        }
        // Over gRPC-Web the trailers are at the end of the body.
        assertThat(multiplexed("/holdfast.v1.Leases/Acquire", "application/grpc-web+proto", local, "http://" + local)
                        .contentUtf8())
                .contains("grpc-status: 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:7475",
                "LocalHost.:80",
                "127.0.0.1",
                "127.0.0.1:65535",
                "127.0.0.2:1",
                "[::1]",
                "[::1]:7475",
                "[0:0:0:0:0:0:0:1]",
                "[::FFFF:127.0.0.1]:7475",
                "holdfast.internal",
                "HOLDFAST.INTERNAL.:7475"
            })
    void theServersOwnNamesAreKnown(String host) throws IOException {
        assertThat(plain("/v1/leases", host)).isEqualTo(200);
        assertThat(grpcStatus(multiplexed("/holdfast.v1.Leases/Acquire", "application/grpc", host, "")))
                .isEqualTo("0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost.evil.example",
                "evil.example",
                "127.0.0.1.evil.example",
                "user@localhost",
                "localhost:port",
                "localhost:7475:7475",
                "localhost..",
                "[::2]",
                "[evil.example]",
                "10.0.0.1",
                "0.0.0.0",
                "::1",
                "2130706433"
            })
    void otherNamesAreNotKnown(String host) throws IOException {
        assertThat(plain("/v1/leases", host)).isIn(400, 403);
    }

    @Test
    void aRequestNamesOneHost() throws IOException {
        assertThat(plain("GET", "/v1/leases", "", "")).isIn(400, 403);
        assertThat(plain("GET", "/v1/leases", "host:\r\n", "")).isIn(400, 403);
        assertThat(plain("GET", "/v1/leases", "host: localhost\r\nhost: evil.example\r\n", ""))
                .isIn(400, 403);
        assertThat(plain("GET", "/v1/leases", "host: evil.example\r\nhost: localhost\r\n", ""))
                .isIn(400, 403);
    }

    @Test
    void healthProbesMaySendAnyName() throws IOException {
        assertThat(plain("/health/live", EVIL)).isEqualTo(200);
        assertThat(plain("GET", "/health/live", "", "")).isEqualTo(200);
        assertThat(grpcStatus(multiplexed("/grpc.health.v1.Health/Check", "application/grpc", EVIL, "")))
                .isNotEqualTo("7");
    }

    @Test
    void withAuthenticationTheHostDoesNotMatterButThePageDoes(@TempDir Path folder) throws IOException {
        NewToken token = NewToken.create("ann", List.of("admin=*"));
        Path tokens = Files.writeString(folder.resolve("tokens"), token.line() + "\n");
        try (EdgeServer authenticated =
                EdgeServer.with(PerimeterOptions.builder().tokens(tokens).build())) {
            String bearer = "authorization: Bearer " + token.secret() + "\r\nconnection: close\r\n";
            try (RawClient client = new RawClient(authenticated.port())) {
                client.send("GET /v1/leases HTTP/1.1\r\nhost: any.example\r\n" + bearer + "\r\n");
                assertThat(client.line()).isEqualTo("HTTP/1.1 200 OK");
            }
            try (RawClient client = new RawClient(authenticated.port())) {
                client.send("GET /v1/leases HTTP/1.1\r\nhost: any.example\r\norigin: http://evil.example\r\n" + bearer
                        + "\r\n");
                assertThat(client.line()).startsWith("HTTP/1.1 403 ");
            }
        }
    }

    @Test
    void ordinaryClientsAreServed() {
        assertThat(server.stub(LeasesGrpc.LeasesBlockingStub.class)
                        .acquire(AcquireRequest.newBuilder()
                                .setName("ordinary")
                                .setHolder("me")
                                .build())
                        .hasGranted())
                .isTrue();
    }

    @Test
    void anAllowedHostMustBeAHost() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EdgeServer.with(PerimeterOptions.builder()
                        .allowedHosts(List.of("http://a/"))
                        .build()))
                .withMessage("allowed-host: http://a/ (expected: the name or address of a host, without a port)");
    }
}
