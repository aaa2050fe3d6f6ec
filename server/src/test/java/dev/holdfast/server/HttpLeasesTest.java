package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.proto.v1.GetRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP and JSON, over the loopback. */
class HttpLeasesTest {
    private static final String ME = "{\"holder\":\"me\",\"term\":\"30s\"}";
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

    private static String token(Http.Answer granted) {
        assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
        return "{\"token\":\"" + granted.text("token") + "\"}";
    }

    @Test
    void aKeyIsAcquiredRenewedAndReleased() {
        Http.Answer granted = http.post("/v1/leases/deploy/acquire", ME);
        String token = token(granted);
        assertThat(granted.body().path("fence").asLong()).isPositive();
        assertThat(granted.text("term")).isEqualTo("30s");
        assertThat(Instant.parse(granted.text("expiry"))).isAfter(Instant.now().minusSeconds(1));

        Http.Answer renewed = http.post("/v1/leases/deploy/renew", token);
        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.body().path("fence")).isEqualTo(granted.body().path("fence"));

        assertThat(http.post("/v1/leases/deploy/release", token).status()).isEqualTo(200);
        assertThat(http.post("/v1/leases/deploy/renew", token).status()).isEqualTo(409);
    }

    @Test
    void aSecondClientGetsTheHolderAndTheDelayBeforeARetry() {
        http.post("/v1/leases/taken/acquire", "{\"holder\":\"ann\",\"term\":\"30s\"}");

        Http.Answer refused = http.post("/v1/leases/taken/acquire", ME);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("error")).isEqualTo("held");
        assertThat(refused.text("holder")).isEqualTo("ann");
        assertThat(refused.text("retryAfter")).matches("(30|[12]?[0-9])(\\.[0-9]+)?s");
        assertThat(Integer.parseInt(String.valueOf(refused.retryAfter()))).isBetween(1, 31);
    }

    @Test
    void aDoneKeyIsGone() {
        String token = token(http.post("/v1/leases/file/acquire", ME));
        Http.Answer done = http.post("/v1/leases/file/done", token);
        assertThat(done.text("state")).isEqualTo("done");

        Http.Answer refused = http.post("/v1/leases/file/acquire", ME);
        assertThat(refused.status()).isEqualTo(410);
        assertThat(refused.text("error")).isEqualTo("done");
        assertThat(Instant.parse(refused.text("doneAt"))).isBefore(Instant.now().plusSeconds(60));

        assertThat(http.post("/v1/leases/file/reopen", "{}")
                        .body()
                        .path("changed")
                        .asBoolean())
                .isTrue();
        assertThat(http.post("/v1/leases/file/acquire", ME).status()).isEqualTo(200);
    }

    @Test
    void aKeyOfAnotherHolderCannotBeReleasedOrFinished() {
        http.post("/v1/leases/hers/acquire", "{\"holder\":\"ann\"}");
        String token = "{\"token\":\"00000000-0000-0000-0000-000000000001\"}";

        assertThat(http.post("/v1/leases/hers/release", token).status()).isEqualTo(409);
        Http.Answer refused = http.post("/v1/leases/hers/done", token);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("error")).isEqualTo("lost");
        assertThat(refused.text("reason")).isEqualTo("TAKEN");
    }

    @ParameterizedTest
    @CsvSource({
        "a%2Fb%2Fc, a/b/c",
        "a%2F%2Fb, a//b",
        "%2Fetc%2Fpasswd, /etc/passwd",
        "gr%C3%BC%C3%9Fe%20%F0%9F%9A%80, grüße 🚀",
        "100%25, 100%",
        "a+b, a+b",
        "q%3Fx%3D1%23y, q?x=1#y",
        "a;b=c, a;b=c",
        "a%3Ab:c, a:b:c",
    })
    void aNameMayContainAnyCharacters(String encoded, String name) {
        Http.Answer granted = http.post("/v1/leases/" + encoded + "/acquire", ME);
        assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
        assertThat(granted.text("name")).isEqualTo(name);
        assertThat(http.get("/v1/leases/" + encoded).text("name")).isEqualTo(name);
        assertThat(server.blocking()
                        .get(GetRequest.newBuilder().setName(name).build())
                        .hasStatus())
                .isTrue();
    }

    @Test
    void aSlashThatIsNotEncodedIsNotPartOfAName() {
        Http.Answer refused = http.post("/v1/leases/a/b/acquire", ME);

        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.text("message")).contains("%2F");
    }

    @Test
    void aHeldKeyIsExplainedWithItsOriginAndItsWaitingClients() {
        String token =
                token(http.post("/v1/leases/asked/acquire", "{\"holder\":\"ada@build-7#4711\",\"term\":\"30s\"}"));
        http.post("/v1/leases/asked/renew", token);
        CompletableFuture<Http.Answer> waiting = CompletableFuture.supplyAsync(
                () -> http.post("/v1/leases/asked/acquire", "{\"holder\":\"bob\",\"wait\":\"50s\"}"));
        Eventually.until(() ->
                http.get("/v1/leases/asked/why").body().path("waitingTotal").asInt() == 1);

        Http.Answer why = http.get("/v1/leases/asked/why");

        assertThat(why.status()).isEqualTo(200);
        assertThat(why.text("summary")).startsWith("asked is held for ").contains(" by ada@build-7#4711. ");
        assertThat(why.body().path("process").path("host").asText()).isEqualTo("build-7");
        assertThat(why.body().path("process").path("pid").asLong()).isEqualTo(4711);
        assertThat(why.body().path("process").path("address").asText()).isEqualTo("127.0.0.1");
        assertThat(why.body().path("process").path("client").asText()).isNotEmpty();
        assertThat(why.body().path("leftAtRenewals")).hasSize(1);
        assertThat(why.body().path("waiting").get(0).path("holder").asText()).isEqualTo("bob");
        assertThat(why.body().path("lease").has("token")).isFalse();

        http.post("/v1/leases/asked/release", token);
        assertThat(waiting.join().status()).isEqualTo(200);
    }

    @Test
    void aReleaseCanNameTheNextHolder() {
        String token = token(http.post("/v1/leases/passed/acquire", ME));

        String named = token.replace("}", ",\"next\":\"bob\"}");
        assertThat(http.post("/v1/leases/passed/release", named).status()).isEqualTo(200);

        assertThat(http.get("/v1/leases/passed")
                        .body()
                        .path("attributes")
                        .path("~next")
                        .path("holder")
                        .asText())
                .isEqualTo("bob");
    }

    @Test
    void aKeyIsShownWithoutItsToken() {
        http.post(
                "/v1/leases/shown/acquire",
                "{\"holder\":\"me\",\"namespace\":\"team\",\"attributes\":{\"n\":1.5,\"t\":\"x\",\"b\":true,\"l\":[1]}}");

        Http.Answer shown = http.get("/v1/leases/shown?namespace=team");

        assertThat(shown.text("state")).isEqualTo("held");
        assertThat(shown.body().has("token")).isFalse();
        assertThat(shown.body().path("attributes").toString())
                .isEqualTo("{\"b\":true,\"l\":[1],\"n\":1.5,\"t\":\"x\"}");
        assertThat(http.get("/v1/leases/shown").status()).isEqualTo(404);
    }

    @Test
    void attributesAreChangedAndRemoved() {
        Http.Answer granted =
                http.post("/v1/leases/changed/acquire", "{\"holder\":\"me\",\"attributes\":{\"a\":1,\"b\":2}}");
        String token = granted.text("token");

        Http.Answer updated = http.post(
                "/v1/leases/changed/update", "{\"token\":\"" + token + "\",\"attributes\":{\"a\":null,\"c\":3}}");

        assertThat(updated.body().path("attributes").toString()).isEqualTo("{\"b\":2,\"c\":3}");
    }

    @Test
    void keysAreListedPageByPage() {
        for (int i = 0; i < 5; i++) {
            http.post("/v1/leases/k" + i + "/acquire", "{\"holder\":\"me\",\"namespace\":\"listed\"}");
        }
        String token = token(http.post("/v1/leases/k5/acquire", "{\"holder\":\"me\",\"namespace\":\"listed\"}"));
        http.post("/v1/leases/k5/done", token.replace("}", ",\"namespace\":\"listed\"}"));

        int found = 0;
        String page = "";
        int pages = 0;
        do {
            Http.Answer answer = http.get("/v1/leases?prefix=listed&status=held&pageSize=2&page=" + page);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            found += answer.body().path("leases").size();
            page = URLEncoder.encode(answer.text("nextPage"), StandardCharsets.UTF_8);
            pages++;
        } while (!page.isEmpty() && pages < 20);

        assertThat(found).isEqualTo(5);
        assertThat(http.get("/v1/leases?prefix=listed&status=done").body().path("leases"))
                .hasSize(1);
        assertThat(http.get("/v1/leases?namespace=listed&namePrefix=k3").body().path("leases"))
                .hasSize(1);
        assertThat(http.get("/v1/leases?namePrefix=k3").body().path("leases")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{                                        | body",
                "[]                                       | body",
                "{\"holder\":\"me\"} x                    | body",
                "{\"holder\":\"me\",\"holder\":\"you\"}   | body",
                "{\"holder\":\"me\",\"trem\":\"30s\"}     | trem",
                "{\"holder\":7}                           | holder",
                "{\"term\":\"30s\"}                       | holder",
                "{\"holder\":\"me\",\"term\":30}          | term",
                "{\"holder\":\"me\",\"term\":\"soon\"}    | term",
                "{\"holder\":\"me\",\"term\":\"0s\"}      | term",
                "{\"holder\":\"me\",\"term\":\"9d\"}      | term",
                "{\"holder\":\"me\",\"wait\":\"-1s\"}     | wait",
                "{\"holder\":\"me\",\"token\":\"x\"}      | token",
                "{\"holder\":\"me\",\"namespace\":\"~x\"} | namespace",
                "{\"holder\":\"me\",\"attributes\":[]}    | attributes",
                "{\"holder\":\"me\",\"attributes\":{\"a\":null}}   | attributes",
                "{\"holder\":\"me\",\"attributes\":{\"a\":1e999}}  | number",
            })
    void badInputIsRejectedWithTheNameOfTheField(String body, String field) {
        Http.Answer refused = http.post("/v1/leases/bad/acquire", body);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.text("field")).as(refused.toString()).isEqualTo(field);
        assertThat(refused.text("message")).startsWith(field + ": ").contains("expected");
        assertThat(http.get("/v1/leases/bad").status()).isEqualTo(404);
    }

    @Test
    void unknownKeysAndPathsAreNotFound() {
        assertThat(http.get("/v1/lease").status()).isEqualTo(404);
        assertThat(http.post("/v1/leases/a/steal", "{}").status()).isEqualTo(404);
        assertThat(http.get("/v1/leases/a/acquire").status()).isEqualTo(405);
        assertThat(http.get("/v1/leases?prefx=a").status()).isEqualTo(400);
        assertThat(http.get("/v1/leases?prefix=a&namePrefix=b").status()).isEqualTo(400);
    }

    @Test
    void aPageOfAnotherSiteCannotAcquireALease() throws IOException {
        String body = "{\"holder\":\"evil\"}";
        String answer = raw("POST /v1/leases/csrf/acquire HTTP/1.1\r\nHost: 127.0.0.1:" + server.port()
                + "\r\nOrigin: http://evil.example\r\nContent-Type: text/plain\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body);

        assertThat(answer).startsWith("HTTP/1.1 403");
        assertThat(http.get("/v1/leases/csrf").status()).isEqualTo(404);
    }

    /** The first line of the response to a request over a bare socket. */
    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return String.valueOf(
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                            .readLine());
        }
    }

    @Test
    void aWatchSendsAllStatusesAndThenChanges() throws IOException {
        String acquire = "{\"holder\":\"me\",\"namespace\":\"watched\"}";
        Http.Answer granted = http.post("/v1/leases/a/acquire", acquire);
        HttpURLConnection watch = http.open("/v1/watch?prefix=watched");
        try (BufferedReader events =
                new BufferedReader(new InputStreamReader(watch.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(watch.getContentType()).startsWith("text/event-stream");
            assertThat(next(events, "lease"))
                    .contains("\"name\":\"a\"", "\"state\":\"held\"")
                    .doesNotContain("token");
            next(events, "insync");

            http.post("/v1/leases/b/acquire", acquire);
            assertThat(next(events, "lease")).contains("\"name\":\"b\"");
            http.post(
                    "/v1/leases/a/release", "{\"namespace\":\"watched\",\"token\":\"" + granted.text("token") + "\"}");
            assertThat(next(events, "lease")).contains("\"name\":\"a\"", "\"state\":\"free\"");
        } finally {
            watch.disconnect();
        }
    }

    /** The data of the next event, which must be of this kind. */
    private static String next(BufferedReader events, String kind) throws IOException {
        String line = events.readLine();
        while (line != null && !line.startsWith("event: ")) {
            line = events.readLine();
        }
        assertThat(line).isEqualTo("event: " + kind);
        return String.valueOf(events.readLine());
    }

    @Test
    void theApiDescribesItself() {
        Http.Answer described = http.get("/v1/openapi.json");

        assertThat(described.status()).isEqualTo(200);
        assertThat(described.text("openapi")).startsWith("3.");
        assertThat(described
                        .body()
                        .path("paths")
                        .path("/v1/leases/{name}/acquire")
                        .has("post"))
                .isTrue();
    }
}
