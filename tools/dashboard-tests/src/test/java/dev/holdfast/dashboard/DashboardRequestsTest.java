package dev.holdfast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.dashboard.DashboardClient.Reply;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Headers, static files, and the requests that pages of other sites can make a browser send. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardRequestsTest {
    @SuppressWarnings("NullAway.Init") // opened before all tests
    private DashboardScene scene;

    @BeforeAll
    void open(@TempDir Path folder) {
        scene = DashboardScene.open(folder);
    }

    @AfterAll
    void close() {
        scene.close();
    }

    private Reply evict(Map<String, String> headers) {
        return scene.visitor()
                .send("POST", "/ui/api/actions", "{\"action\":\"evict\",\"name\":\"a\",\"reason\":\"b\"}", headers);
    }

    @Test
    void actionsNeedTheHeaderAndTheExactOriginOfThePage() {
        int port = scene.port();
        assertThat(evict(Map.of()).status()).isEqualTo(200);
        assertThat(evict(Map.of("x-holdfast-dashboard", "")).status()).isEqualTo(403);
        for (String origin : List.of(
                "",
                "null",
                "http://127.0.0.1:" + (port + 1),
                "http://localhost:" + port,
                "http://127.0.0.1",
                "http://evil.example:" + port,
                "file://127.0.0.1:" + port)) {
            assertThat(evict(Map.of("origin", origin)).status()).as(origin).isEqualTo(403);
        }
    }

    @Test
    void readingNeedsTheHeaderToo() {
        assertThat(scene.visitor()
                        .send("GET", "/ui/api/session", "", Map.of("x-holdfast-dashboard", ""))
                        .status())
                .isEqualTo(403);
        assertThat(scene.visitor()
                        .send("GET", "/ui/api/live?view=overview", "", Map.of("x-holdfast-dashboard", ""))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void everyResponseHasTheSecurityHeaders() {
        DashboardClient visitor = scene.visitor();
        for (Reply reply : List.of(
                visitor.get("/ui/"),
                visitor.get("/ui/main.js"),
                visitor.get("/ui/nothing.js"),
                visitor.get("/ui/api/session"),
                visitor.get("/ui/api/nothing"),
                visitor.send("GET", "/ui/api/session", "", Map.of("x-holdfast-dashboard", "")))) {
            assertThat(reply.header("content-security-policy"))
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(reply.header("x-content-type-options")).isEqualTo("nosniff");
            assertThat(reply.header("referrer-policy")).isEqualTo("no-referrer");
        }
        assertThat(visitor.get("/ui/api/session").header("cache-control")).isEqualTo("no-store");
        assertThat(visitor.get("/ui/").header("cache-control")).isEqualTo("no-cache");
    }

    @Test
    void theRootLeadsToThePage() {
        for (String path : List.of("/", "/ui")) {
            Reply reply = scene.visitor().get(path);
            assertThat(reply.status()).isEqualTo(307);
            assertThat(reply.header("location")).isEqualTo("/ui/");
        }
    }

    @Test
    void staticFilesHaveTypesAndTags() {
        Reply page = scene.visitor().get("/ui/");
        assertThat(page.header("content-type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.body()).contains("<script").doesNotContain("onclick=", "style=");
        Reply script = scene.visitor().get("/ui/main.js");
        assertThat(script.header("content-type")).isEqualTo("text/javascript; charset=utf-8");

        Reply known = scene.visitor().send("GET", "/ui/main.js", "", Map.of("if-none-match", script.header("etag")));

        assertThat(known.status()).isEqualTo(304);
        assertThat(known.body()).isEmpty();
        for (String path : List.of("/ui/Dashboard.class", "/ui/.hidden.js", "/ui/vendor")) {
            assertThat(scene.visitor().get(path).status()).as(path).isEqualTo(404);
        }
    }

    @Test
    void aServerWithoutAuthenticationNeedsNoLogIn() {
        assertThat(scene.visitor().get("/ui/api/session").text("login")).isEqualTo("none");
        assertThat(scene.visitor().logIn("anything").text("login")).isEqualTo("none");
    }
}
