package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The statements of docs/protocol.md and of the OpenAPI document, checked against a server. */
class ProtocolDocTest {
    private static final Path DOC = Path.of("../docs/protocol.md");
    private static final Pattern POST =
            Pattern.compile("\\$ curl -X POST localhost:7475(\\S+) -d '(.*)'\\n([0-9]{3}) ", Pattern.MULTILINE);
    private static final Pattern GET = Pattern.compile("\\$ curl 'localhost:7475(\\S+)'\\n([0-9]{3}) ");
    private static final Pattern TOKEN = Pattern.compile("\"token\":\"[0-9a-f]{4}\\.\\.\\.\"");

    @Test
    void theExamplesReturnTheDocumentedResponses() throws IOException {
        String doc = Files.readString(DOC);
        try (LoopbackServer server = new LoopbackServer()) {
            Http http = new Http(server.port());
            List<Integer> statuses = new ArrayList<>();
            String token = "";
            Matcher post = POST.matcher(doc);
            while (post.find()) {
                String body = TOKEN.matcher(post.group(2)).replaceAll("\"token\":\"" + token + "\"");
                Http.Answer answer = http.post(post.group(1), body);
                assertThat(answer.status()).as(post.group() + answer).isEqualTo(Integer.parseInt(post.group(3)));
                statuses.add(answer.status());
                token = answer.body().path("token").asText(token);
            }
            assertThat(statuses).containsExactly(200, 409, 200, 200, 200, 200, 410);
            Matcher get = GET.matcher(doc);
            assertThat(get.find()).isTrue();
            assertThat(http.get(get.group(1)).status()).isEqualTo(Integer.parseInt(get.group(2)));
        }
    }

    @Test
    void everyRouteOfTheOpenApiDocumentIsServedAndNamedInTheDoc() throws IOException {
        String doc = Files.readString(DOC);
        try (LoopbackServer server = new LoopbackServer()) {
            Http http = new Http(server.port());
            List<String> paths = new ArrayList<>();
            http.get("/v1/openapi.json").body().path("paths").fieldNames().forEachRemaining(paths::add);
            assertThat(paths).hasSize(13);
            Http.Answer explained = http.get("/v1/leases/x/why?nonsense=1");
            assertThat(explained.status()).isEqualTo(400);
            Stream<String> actions =
                    paths.stream().filter(path -> path.startsWith("/v1/leases/{name}/") && !path.endsWith("/why"));
            actions.forEach(path -> {
                Http.Answer answer = http.post(path.replace("{name}", "x"), "{\"nonsense\":1}");
                assertThat(answer.status()).as(path).isEqualTo(400);
                assertThat(answer.text("field")).isEqualTo("nonsense");
                assertThat(doc).contains(path.substring(path.lastIndexOf('/') + 1));
            });
        }
    }
}
