package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.server.operations.PerimeterOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Errors over HTTP, as a client sees them byte by byte. */
@Tag("slow")
class JsonErrorsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static EdgeServer server;

    @BeforeAll
    static void start() {
        server = EdgeServer.with(PerimeterOptions.builder().build());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private record Response(int status, List<String> headers, String body) {
        String header(String name) {
            return headers.stream()
                    .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith(name + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }
    }

    private static Response send(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return read(socket.getInputStream());
        }
    }

    private static Response read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            head.append((char) c);
            if (head.toString().endsWith("\r\n\r\n")) {
                break;
            }
        }
        List<String> lines = head.toString().lines().toList();
        assertThat(lines).isNotEmpty();
        Response response = new Response(Integer.parseInt(lines.get(0).substring(9, 12)), lines, "");
        int length = Integer.parseInt("0" + response.header("content-length"));
        return new Response(response.status, lines, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static Response isJsonError(int status, String request) throws IOException {
        Response response = send(request);
        assertThat(response.status).as(response.toString()).isEqualTo(status);
        assertThat(response.header("content-type")).as(response.toString()).startsWith("application/");
        assertThat(response.header("content-type")).contains("json");
        assertThat(response.header("server")).isEmpty();
        JsonNode body = JSON.readTree(response.body);
        assertThat(body.path("error").asText()).isNotEmpty();
        assertThat(body.path("message").asText()).isNotEmpty().doesNotContain("Exception", "armeria", "netty");
        return response;
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    @Test
    void anUnknownPathIs404() throws IOException {
        isJsonError(404, get("/nothing"));
        isJsonError(404, get("/v1/nothing"));
        isJsonError(404, get("/v2/leases"));
    }

    @Test
    void anotherMethodIs405AndTheAllowedMethodsAreNamed() throws IOException {
        assertThat(isJsonError(405, get("/v1/leases/a/acquire")).header("allow"))
                .isEqualTo("POST");
        assertThat(isJsonError(405, "DELETE /v1/leases/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .header("allow"))
                .isEqualTo("GET");
        assertThat(isJsonError(405, get("/holdfast.v1.Leases/Acquire")).header("allow"))
                .isEqualTo("POST");
        assertThat(isJsonError(405, "DELETE /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .header("allow"))
                .isEqualTo("GET, HEAD");
    }

    @Test
    void aGrpcCallWithAnotherContentTypeIs415() throws IOException {
        isJsonError(
                415,
                String.join(
                        "\r\n",
                        "POST /holdfast.v1.Leases/Acquire HTTP/1.1",
                        "Host: localhost",
                        "content-type: text/plain",
                        "content-length: 0",
                        "",
                        ""));
    }

    @Test
    void aMalformedRequestIs400() throws IOException {
        isJsonError(400, "GET /v1/leases?page=% HTTP/1.1\r\nHost: localhost\r\n\r\n");
        isJsonError(400, "POST /v1/leases/a/acquire HTTP/1.1\r\nHost: localhost\r\ncontent-length: 1\r\n\r\n{");
        isJsonError(400, "POST /v1/leases/a/acquire HTTP/1.1\r\nHost: localhost\r\ncontent-length: x\r\n\r\n");
        isJsonError(400, get("/v1/leases/%zz"));
        isJsonError(400, get("/../../etc/passwd"));
        isJsonError(400, get("/v1/leases/%2e%2e/%2e%2e/%2e%2e/x"));
        isJsonError(400, "NONSENSE\r\n\r\n");
    }

    @Test
    void aBodyThatIsTooLargeIs413() throws IOException {
        isJsonError(
                413,
                "POST /v1/leases/a/acquire HTTP/1.1\r\nHost: localhost\r\ncontent-length: 3000000\r\n\r\n"
                        + " ".repeat(1_100_000));
    }

    @Test
    void aPathThatIsTooLongIs414AndHeadersThatAreTooLargeAre431() throws IOException {
        isJsonError(414, get("/v1/leases/" + "a".repeat(20_000)));
        isJsonError(431, "GET /v1/leases HTTP/1.1\r\nHost: localhost\r\nx: " + "a".repeat(20_000) + "\r\n\r\n");
    }

    @Test
    void noResponseNamesTheServersSoftware() throws IOException {
        assertThat(send(get("/v1/leases")).header("server")).isEmpty();
        assertThat(send(get("/health/live")).header("server")).isEmpty();
    }
}
