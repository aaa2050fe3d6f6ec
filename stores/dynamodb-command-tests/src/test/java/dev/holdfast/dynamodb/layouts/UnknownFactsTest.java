package dev.holdfast.dynamodb.layouts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.dynamodb.Eventually;
import dev.holdfast.dynamodb.process.Command;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Facts that another tool does not record are shown as unknown. */
@Tag("slow")
class UnknownFactsTest {
    private static final Pattern ADDRESS = Pattern.compile("at (http://127\\.0\\.0\\.1:[0-9]+)\\s");

    @TempDir
    private Path folder;

    @Test
    void aRowOfTableTheoryHasNeitherGrantTimeNorTerm() throws Exception {
        ForeignTable table = new ForeignTable("layout=tabletheory", "pk", "sk");
        TableTheoryClient theirs = new TableTheoryClient(table, Instant::now);
        assertThat(theirs.acquire("theirs", Duration.ofHours(1))).isPresent();
        Command holdfast = new Command(folder, table.url());

        assertThat(holdfast.run("show", "theirs").line().lines())
                .contains("granted     unknown", "term        unknown")
                .anyMatch(line -> line.startsWith("status      held, "));
        assertThat(holdfast.run("why", "theirs").line().lines())
                .contains("granted     unknown", "term        unknown", "renewed     unknown")
                .anyMatch(line -> line.startsWith("theirs is held by "))
                .anyMatch(line -> line.startsWith("earliest    in ")
                        && line.endsWith("(by the end that is stored with the lease)"));
        String json = holdfast.run("show", "theirs", "--json").line();
        assertThat(json).contains("\"termMillis\":null", "\"grantedAt\":null", "\"createdAt\":null");
        try (Command.Started server = holdfast.start("serve", "--listen", "127.0.0.1:0")) {
            Eventually.isTrue(() -> ADDRESS.matcher(server.out()).find(), "the server's address");
            Matcher address = ADDRESS.matcher(server.out());
            assertThat(address.find()).isTrue();
            try (InputStream response =
                    URI.create(address.group(1) + "/v1/leases/theirs").toURL().openStream()) {
                assertThat(new String(response.readAllBytes(), UTF_8))
                        .contains("\"state\":\"held\"", "\"remaining\"")
                        .doesNotContain("\"term\"", "\"grantedAt\"", "\"createdAt\"");
            }
            Command remote = new Command(folder, address.group(1));
            assertThat(remote.run("show", "theirs").line().lines())
                    .contains("granted     unknown", "term        unknown");
        }
    }

    @Test
    void aRowOfAwsflockHasATermAndNoGrantTime() {
        ForeignTable table = new ForeignTable("layout=awsflock", "lock_id");
        assertThat(new AwsFlockScript(table, "ann", Instant::now).acquire("theirs", 600))
                .isPresent();
        Command holdfast = new Command(folder, table.url());

        assertThat(holdfast.run("show", "theirs").line().lines())
                .contains("granted     unknown", "term        10m", "holder      ann");
    }
}
