package dev.holdfast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.dashboard.DashboardClient.Reply;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardLoginTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private DashboardScene scene;

    @BeforeEach
    void open() {
        scene = DashboardScene.of(folder, "ada admin=*", "bob read=jobs");
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void aTokenIsExchangedForASession() {
        assertThat(scene.visitor().get("/ui/api/session").json().toString())
                .contains("\"login\":\"needed\"", "\"version\":\"1.2.3-test\"")
                .doesNotContain("store", "title");

        Reply opened = scene.visitor().logIn(DashboardScene.secret("ada"));

        assertThat(opened.status()).isEqualTo(200);
        assertThat(opened.text("session")).hasSize(43).isNotEqualTo(DashboardScene.secret("ada"));
        Reply session = new DashboardClient(scene.port(), opened.text("session")).get("/ui/api/session");
        assertThat(session.text("login")).isEqualTo("done");
        assertThat(session.text("caller")).isEqualTo("ada");
        assertThat(session.json().path("mayAdminister").asBoolean()).isTrue();
        assertThat(session.text("store")).isEqualTo("sqlite");
        assertThat(session.text("expiresIn")).matches("43[0-9]{3}s");
        assertThat(scene.as("bob")
                        .get("/ui/api/session")
                        .json()
                        .path("mayAdminister")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void wrongTokensAreRejectedAndThenThrottled() {
        for (int i = 0; i < 5; i++) {
            Reply wrong = scene.visitor().logIn("hf_wrong");
            assertThat(wrong.status()).isEqualTo(401);
            assertThat(wrong.text("detail")).isEqualTo("unknown token");
        }

        Reply throttled = scene.visitor().logIn("hf_wrong");

        assertThat(throttled.status()).isEqualTo(429);
        assertThat(throttled.header("retry-after")).matches("[12]");
        assertThat(scene.visitor().logIn(DashboardScene.secret("ada")).status()).isEqualTo(429);
    }

    @Test
    void otherPathsDoNotAcceptASession() {
        DashboardClient ada = scene.as("ada");

        assertThat(ada.get("/v1/leases").status()).isEqualTo(401);
        assertThat(ada.get("/metrics").status()).isEqualTo(401);
        assertThat(ada.get("/ui/api/live?view=nothing").status()).isEqualTo(400);
    }

    @Test
    void aTokenOpensNoLiveView() {
        Map<String, String> bearer = Map.of("authorization", "Bearer " + DashboardScene.secret("ada"));

        assertThat(scene.visitor()
                        .send("GET", "/ui/api/live?view=overview", "", bearer)
                        .status())
                .isEqualTo(401);
        assertThat(scene.visitor().get("/ui/api/live?view=overview").status()).isEqualTo(401);
        assertThat(scene.visitor()
                        .act("action", "evict", "name", "a", "reason", "b")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void aSessionEndsWithItsTokenAndSoDoItsStreams() {
        DashboardClient ada = scene.as("ada");
        DashboardClient bob = scene.as("bob");
        try (LiveModel adas = ada.live("view=overview").first();
                LiveModel bobs = bob.live("view=overview").first()) {
            scene.replaceTokens("bob read=jobs");

            adas.awaitEnd();
            assertThat(ada.get("/ui/api/live?view=overview").status()).isEqualTo(401);
            assertThat(ada.get("/ui/api/session").text("login")).isEqualTo("needed");
            int before = bobs.messages();
            bobs.await(it -> it.messages() > before);
        }

        scene.replaceTokens("bob read=jobs", "ada admin=*");
        assertThat(ada.get("/ui/api/session").text("login")).isEqualTo("needed");
    }

    @Test
    void aLogOutEndsTheSessionAndItsStreams() {
        DashboardClient ada = scene.as("ada");
        try (LiveModel live = ada.live("view=overview").first()) {
            assertThat(ada.send("DELETE", "/ui/api/session", "", Map.of()).status())
                    .isEqualTo(204);

            live.awaitEnd();
        }
        assertThat(ada.get("/ui/api/live?view=overview").status()).isEqualTo(401);
    }

    @Test
    void aStreamEndsWhenItsCallerGetsOtherPermissions() {
        DashboardClient bob = scene.as("bob");
        try (LiveModel live = bob.live("view=overview").first()) {
            scene.replaceTokens("ada admin=*", "bob read=other");

            live.awaitEnd();
        }
        assertThat(bob.get("/ui/api/session").text("login")).isEqualTo("done");
    }

    @Test
    void aCodeOpensOneSession() {
        String code = scene.sessions.issueCode("local user", false);
        String body = "{\"code\":\"" + code + "\"}";

        Reply opened = scene.visitor().post("/ui/api/session", body);

        assertThat(opened.status()).isEqualTo(200);
        DashboardClient user = new DashboardClient(scene.port(), opened.text("session"));
        assertThat(user.get("/ui/api/session").text("caller")).isEqualTo("local user");
        assertThat(user.act("action", "evict", "name", "a", "reason", "b").status())
                .isEqualTo(403);
        Reply again = scene.visitor().post("/ui/api/session", body);
        assertThat(again.status()).isEqualTo(401);
        assertThat(again.text("detail")).startsWith("the code is not valid");
        assertThat(scene.visitor().post("/ui/api/session", "{}").status()).isEqualTo(401);
    }
}
