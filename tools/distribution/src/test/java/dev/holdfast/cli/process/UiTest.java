package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.cli.process.Holdfast.Running;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard without a server, as users start it. */
class UiTest {
    private static final Pattern ADDRESS = Pattern.compile("(http://127\\.0\\.0\\.1:[0-9]+)/ui/#code=(\\S+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private static HttpResponse<String> post(String origin, String path, String session, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(origin + path))
                .header("x-holdfast-dashboard", "1")
                .header("origin", origin)
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!session.isEmpty()) {
            request.header("authorization", "Session " + session);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String session(Matcher address) throws IOException, InterruptedException {
        HttpResponse<String> opened =
                post(address.group(1), "/ui/api/session", "", "{\"code\":\"" + address.group(2) + "\"}");
        assertThat(opened.statusCode()).as(opened.body()).isEqualTo(200);
        Matcher id = Pattern.compile("\"session\":\"([^\"]+)\"").matcher(opened.body());
        assertThat(id.find()).isTrue();
        return id.group(1);
    }

    @Test
    void onlyTheCodeOpensThePageAndItChangesNothing() throws IOException, InterruptedException {
        Holdfast holdfast = new Holdfast(folder);
        assertThat(holdfast.run("acquire", "deploy", "--term", "5m").code()).isZero();
        try (Running ui = holdfast.start("ui", "--no-open")) {
            ui.awaitOut("Ctrl-C stops");
            Matcher address = ADDRESS.matcher(ui.out());
            assertThat(address.find()).as(ui.out()).isTrue();
            assertThat(ui.out()).contains("read-only");
            String origin = address.group(1);
            String evict = "{\"action\":\"evict\",\"name\":\"deploy\",\"reason\":\"x\"}";

            assertThat(post(origin, "/ui/api/actions", "", evict).statusCode()).isEqualTo(401);
            assertThat(post(origin, "/v1/leases/deploy/evict", "", "{\"reason\":\"x\"}")
                            .statusCode())
                    .isEqualTo(401);
            String session = session(address);
            assertThat(post(origin, "/ui/api/actions", session, evict).statusCode())
                    .isEqualTo(403);
            assertThat(post(origin, "/ui/api/session", "", "{\"code\":\"" + address.group(2) + "\"}")
                            .statusCode())
                    .isEqualTo(401);

            ui.signal("TERM");
            assertThat(ui.result().code()).isZero();
        }
        assertThat(holdfast.run("show", "deploy").line()).contains("held");
    }

    @Test
    void anAdministratorChangesLeases() throws IOException, InterruptedException {
        Holdfast holdfast = new Holdfast(folder);
        assertThat(holdfast.run("acquire", "deploy", "--term", "5m").code()).isZero();
        try (Running ui = holdfast.start("ui", "--no-open", "--admin")) {
            ui.awaitOut("Ctrl-C stops");
            Matcher address = ADDRESS.matcher(ui.out());
            assertThat(address.find()).as(ui.out()).isTrue();
            String session = session(address);

            HttpResponse<String> evicted = post(
                    address.group(1),
                    "/ui/api/actions",
                    session,
                    "{\"action\":\"evict\",\"name\":\"deploy\",\"reason\":\"a test\"}");

            assertThat(evicted.body()).contains("\"result\":\"changed\"");
        }
        assertThat(holdfast.run("show", "deploy").out()).contains("a test");
    }

    @Test
    void theDashboardOfAServerIsNamed() {
        Result result = new Holdfast(folder).run("ui", "--no-open", "--store", "http://127.0.0.1:7475/?token-file=t");

        assertThat(result.line()).isEqualTo("holdfast: dashboard at http://127.0.0.1:7475/ui/");
    }
}
