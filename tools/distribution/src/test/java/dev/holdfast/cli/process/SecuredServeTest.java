package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.cli.process.Holdfast.Running;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with authentication, set up as an operator would. */
class SecuredServeTest {
    private static final Pattern ADDRESS = Pattern.compile("at (http://127\\.0\\.0\\.1:[0-9]+)\\s");
    private static final Pattern TOKEN =
            Pattern.compile("secret  (hf_[A-Za-z0-9_-]{43})\\nline    (\\S+ sha256:.*)\\n");

    @TempDir
    Path folder;

    /** Creates a token, adds its line to the file, and returns its secret. */
    private String newToken(Holdfast holdfast, Path file, String... args) throws IOException {
        String[] command = new String[args.length + 2];
        command[0] = "token";
        command[1] = "new";
        System.arraycopy(args, 0, command, 2, args.length);
        Result made = holdfast.run(command);
        Matcher token = TOKEN.matcher(made.out());
        assertThat(token.matches()).as(made.toString()).isTrue();
        Files.write(file, List.of(token.group(2)), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return token.group(1);
    }

    private static int get(String url, String secret) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        if (!secret.isEmpty()) {
            connection.setRequestProperty("authorization", "Bearer " + secret);
        }
        return connection.getResponseCode();
    }

    @Test
    void aTokenAuthenticatesItsClientAndALaterOneDoesSoWithoutARestart() throws IOException, InterruptedException {
        Holdfast holdfast = new Holdfast(folder);
        Path tokens = folder.resolve("tokens");
        String first = newToken(holdfast, tokens, "reader", "--read", "jobs");
        try (Running server = holdfast.start("serve", "--listen", "127.0.0.1:0", "--tokens", tokens.toString())) {
            server.awaitOut("holdfast: serving sqlite:");
            Matcher address = ADDRESS.matcher(server.out());
            assertThat(address.find()).as(server.out()).isTrue();
            String url = address.group(1);

            assertThat(get(url + "/v1/leases?prefix=jobs", "")).isEqualTo(401);
            assertThat(get(url + "/v1/leases?prefix=jobs", first)).isEqualTo(200);
            assertThat(get(url + "/v1/leases?prefix=other", first)).isEqualTo(403);
            assertThat(get(url + "/metrics", "")).isEqualTo(401);
            assertThat(get(url + "/metrics", first)).isEqualTo(200);
            assertThat(get(url + "/health/live", "")).isEqualTo(200);

            String later = newToken(holdfast, tokens, "later", "--admin", "*");
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (get(url + "/v1/leases", later) == 401 && System.nanoTime() - deadline < 0) {
                Thread.sleep(100);
            }
            assertThat(get(url + "/v1/leases", later)).isEqualTo(200);
        }
    }

    @Test
    void withoutAuthenticationOnlyTheLocalHostIsServed() {
        Result rejected = new Holdfast(folder).run("serve", "--listen", "0.0.0.0:0");

        assertThat(rejected.code()).isEqualTo(2);
        assertThat(rejected.err())
                .contains("listen: 0.0.0.0:0 (expected: a loopback address")
                .contains("--insecure");
    }

    @Test
    void invalidSettingsAreReportedAtTheStart() throws IOException {
        Path tokens = Files.writeString(folder.resolve("tokens"), "# a comment\n\nann secret lease=jobs\n");

        Result refused = new Holdfast(folder).run("serve", "--tokens", tokens.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("tokens, line 3: second word: 6 characters (expected: sha256:... or cert:...)");

        Result half = new Holdfast(folder).run("serve", "--tls-cert", "cert.pem");
        assertThat(half.code()).isEqualTo(2);
        assertThat(half.err()).contains("--tls-cert and --tls-key: only one of them (expected: both or none)");

        Result none = new Holdfast(folder).run("serve", "--max-requests", "0", "--listen", "127.0.0.1:0");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("requests: 0 (expected: >= 1)");

        Result nothing = new Holdfast(folder).run("token", "new", "ann");
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err()).contains("permissions: none (expected: at least one to read, lease or administer)");
    }
}
