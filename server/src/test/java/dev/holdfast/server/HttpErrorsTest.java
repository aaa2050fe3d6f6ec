package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Errors over HTTP, compared with the OpenAPI document. */
class HttpErrorsTest {
    private static LoopbackServer server;
    private static Http http;

    @BeforeAll
    static void start() {
        server = new LoopbackServer();
        http = new Http(server.port());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static AggregatedHttpResponse raw(String path) {
        return WebClient.of("http://127.0.0.1:" + server.port())
                .get(path)
                .aggregate()
                .join();
    }

    @Test
    void errorsAreProblemDocumentsWithAdditionalFields() {
        assertThat(raw("/v1/leases/never").headers().get("content-type"))
                .isEqualTo("application/problem+json; charset=utf-8");
        JsonNode problem = http.get("/v1/leases/never").body();
        assertThat(problem.path("status").asInt()).isEqualTo(404);
        assertThat(problem.path("title").asText()).isEqualTo("Not Found");
        assertThat(problem.path("detail").asText())
                .isEqualTo("never was never leased")
                .isEqualTo(problem.path("message").asText());
        assertThat(problem.path("error").asText()).isEqualTo("not_found");
    }

    @Test
    void otherResponsesArePlainJson() {
        assertThat(raw("/v1/leases").headers().get("content-type")).isEqualTo("application/json; charset=utf-8");
    }

    @Test
    void aBadPageIsReportedAsPage() {
        String nonsense = Base64.getUrlEncoder().encodeToString("nonsense".getBytes(StandardCharsets.UTF_8));
        for (String page : List.of("nonsense!", nonsense)) {
            for (String status : List.of("", "&status=free")) {
                Http.Answer refused = http.get("/v1/leases?page=" + page + status);
                assertThat(refused.status()).isEqualTo(400);
                assertThat(refused.text("error")).isEqualTo("bad_request");
                assertThat(refused.text("field")).isEqualTo("page");
                assertThat(refused.text("message"))
                        .isEqualTo("page: " + page + " (expected: nextPage of the previous page)");
            }
        }
    }

    @Test
    void theErrorForAHeldKeyHasTheRemainingTerm() {
        http.post("/v1/leases/held/acquire", "{\"holder\":\"me\",\"term\":\"30s\"}");

        Http.Answer refused = http.post("/v1/leases/held/acquire", "{\"holder\":\"you\"}");

        assertThat(refused.text("remaining")).matches("(30|29\\.\\d+|2\\d(\\.\\d+)?)s");
        assertThat(refused.text("retryAfter")).isEqualTo(refused.text("remaining"));
    }

    @Test
    void theDocumentListsEveryCodeAndNoneHasSpaces() {
        JsonNode document = http.get("/v1/openapi.json").body();
        List<String> codes = new ArrayList<>();
        document.at("/components/schemas/Error/properties/error/enum").forEach(code -> codes.add(code.asText()));
        assertThat(codes).isNotEmpty().allMatch(code -> code.matches("[a-z]+(_[a-z]+)*"));

        http.post("/v1/leases/taken/acquire", "{\"holder\":\"me\"}");
        List<Http.Answer> errors = List.of(
                http.get("/v1/leases/never"),
                http.get("/v1/nothing"),
                http.get("/v1/leases?page=nonsense!"),
                http.get("/v1/cleanup"),
                http.post("/v1/leases/taken/acquire", "{\"holder\":\"you\"}"),
                http.post("/v1/leases/taken/renew", "{\"token\":\"00000000-0000-4000-8000-000000000001\"}"));

        assertThat(errors)
                .extracting(error -> error.text("error"))
                .containsExactly("not_found", "not_found", "bad_request", "method_not_allowed", "held", "lost")
                .isSubsetOf(codes);
    }

    @Test
    void theDocumentHasSecuritySchemesAndProblemDocuments() {
        JsonNode document = http.get("/v1/openapi.json").body();

        assertThat(document.at("/components/securitySchemes/bearer/scheme").asText())
                .isEqualTo("bearer");
        assertThat(document.at("/components/securitySchemes/certificate/type").asText())
                .isEqualTo("mutualTLS");
        assertThat(document.at("/security")).hasSize(3);
        for (JsonNode path : document.at("/paths")) {
            for (JsonNode operation : path) {
                for (Map.Entry<String, JsonNode> response :
                        operation.path("responses").properties()) {
                    assertThat(response.getValue().path("content").fieldNames().next())
                            .as("%s", response)
                            .isEqualTo(expectedType(response.getKey(), response.getValue()));
                }
            }
        }
    }

    private static String expectedType(String status, JsonNode response) {
        return !status.startsWith("2")
                ? "application/problem+json"
                : response.path("content").has("text/event-stream") ? "text/event-stream" : "application/json";
    }
}
