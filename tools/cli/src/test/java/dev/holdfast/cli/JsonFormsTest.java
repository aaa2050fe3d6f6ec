package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.TerminalInfo;
import dev.holdfast.server.HoldfastServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command and the server use the same JSON names and units. */
@SuppressWarnings("NullAway.Init") // before all tests
class JsonFormsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static HoldfastServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        server = HoldfastServer.builder()
                .store("memory:")
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .drain(Duration.ofSeconds(1))
                .build();
        server.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String url() {
        return "http://127.0.0.1:" + server.address().getPort();
    }

    private JsonNode command(String... arguments) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        CommandConsole console = new CommandConsole(
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8),
                Map.of("HOLDFAST_STORE", url(), "XDG_CONFIG_HOME", folder.toString()),
                new TerminalInfo(""));
        new CommandRunner(console).run(arguments);
        assertThat(out.toString(UTF_8)).as(err.toString(UTF_8)).isNotBlank();
        return JSON.readTree(out.toByteArray());
    }

    private static JsonNode http(String path) throws IOException {
        try (InputStream in = URI.create(url() + path).toURL().openStream()) {
            return JSON.readTree(in);
        }
    }

    private static void http(String path, String body) throws IOException {
        HttpURLConnection post =
                (HttpURLConnection) URI.create(url() + path).toURL().openConnection();
        post.setDoOutput(true);
        post.setRequestProperty("Content-Type", "application/json");
        post.getOutputStream().write(body.getBytes(UTF_8));
        assertThat(post.getResponseCode()).isEqualTo(200);
    }

    @Test
    void aStatusHasTheSameFieldsOverHttpAndFromTheCommand() throws IOException {
        command("acquire", "key", "--no-wait", "--json");
        http("/v1/leases/key/evict", "{\"reason\":\"it hangs\",\"actor\":\"ann\"}");
        command("acquire", "key", "--no-wait", "--term", "90500ms", "--attr", "k=v", "--json");

        JsonNode shown = command("show", "key", "--json");
        JsonNode got = http("/v1/leases/key");

        for (Map.Entry<String, JsonNode> field : got.properties()) {
            if (!field.getKey().equals("remaining")) {
                assertThat(shown.path(field.getKey())).as(field.getKey()).isEqualTo(field.getValue());
            }
        }
        assertThat(shown.path("term").asText()).isEqualTo("90.5s");
        JsonNode line = got.path("history").path(0);
        assertThat(line.path("end").asText()).isEqualTo("evicted");
        assertThat(line.path("actor").asText()).isEqualTo("ann");
        assertThat(line.path("endedAt")).isEqualTo(line.path("endedBy"));
        isTimeLeft(shown, "90.5");
        isTimeLeft(got, "90.5");
    }

    @Test
    void anExplanationHasTheSameFieldsOverHttpAndFromTheCommand() throws IOException {
        JsonNode first = command("acquire", "why", "--no-wait", "--json");
        http("/v1/leases/why/release", "{\"token\":" + first.path("token") + "}");
        command("acquire", "why", "--no-wait", "--term", "90500ms", "--json");

        JsonNode explained = command("why", "why", "--json");
        JsonNode got = http("/v1/leases/why/why");

        for (Map.Entry<String, JsonNode> field : got.properties()) {
            assertThat(explained.path(field.getKey()).getNodeType())
                    .as(field.getKey())
                    .isEqualTo(field.getValue().getNodeType());
        }
        assertThat(explained.path("summary").asText()).startsWith("why is held for ");
        assertThat(explained.path("earliestBasis")).isEqualTo(got.path("earliestBasis"));
        assertThat(explained.path("process").path("client").asText()).startsWith("holdfast-java");
        assertThat(explained.at("/lease/history")).hasSize(1).isEqualTo(got.at("/lease/history"));
    }

    @Test
    void everyResultHasTimesInTheSameForm() throws IOException {
        JsonNode granted = command("acquire", "other", "--no-wait", "--term", "1h", "--json");
        JsonNode held = command("acquire", "other", "--no-wait", "--json");
        JsonNode renewed = command("renew", "other", granted.path("token").asText(), "--json");
        JsonNode unknown = command("show", "never", "--json");

        assertThat(granted.path("term").asText()).isEqualTo("3600s");
        isTimeLeft(granted, "3600");
        isTimeLeft(held, "3600");
        isTimeLeft(renewed, "3600");
        assertThat(unknown.path("remaining").asText()).isEqualTo("0s");
        assertThat(granted.path("termMillis").asLong()).as("for older scripts").isEqualTo(3_600_000);
        assertThat(held.path("remainingMillis").asLong()).isPositive();
    }

    private static void isTimeLeft(JsonNode json, String atMostSeconds) {
        String remaining = json.path("remaining").asText();
        assertThat(remaining).matches("\\d+(\\.\\d+)?s");
        assertThat(new BigDecimal(remaining.substring(0, remaining.length() - 1)))
                .isLessThanOrEqualTo(new BigDecimal(atMostSeconds));
    }
}
