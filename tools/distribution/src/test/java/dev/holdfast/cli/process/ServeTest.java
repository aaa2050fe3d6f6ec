package dev.holdfast.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.cli.process.Holdfast.Running;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server as users start it: it says where it is, serves, and ends in good order. */
class ServeTest {
    private static final Pattern ADDRESS = Pattern.compile("at (http://127\\.0\\.0\\.1:[0-9]+)\\s");

    @TempDir
    Path folder;

    @Test
    void aServerSharesItsStoreWithTheCommandAndStopsOnASignal() throws IOException {
        Holdfast holdfast = new Holdfast(folder);
        try (Running server = holdfast.start("serve", "--listen", "127.0.0.1:0", "--drain", "2s")) {
            server.awaitOut("holdfast: serving sqlite:");
            Matcher address = ADDRESS.matcher(server.out());
            assertThat(address.find()).as(server.out()).isTrue();
            server.awaitOut("holdfast: dashboard at " + address.group(1) + "/ui/");

            assertThat(post(address.group(1) + "/v1/leases/deploy/acquire", "{\"holder\":\"curl\"}"))
                    .isEqualTo(200);
            Result held = holdfast.run("acquire", "deploy", "--no-wait");
            assertThat(held.code()).as(held.toString()).isEqualTo(3);
            assertThat(held.err()).contains("curl");

            server.signal("TERM");
            assertThat(server.result().code()).isZero();
        }
        assertThat(holdfast.run("show", "deploy").line()).contains("held");
    }

    @Test
    void aServerStopsInTimeHoweverItsClientsBehave() throws IOException {
        Holdfast holdfast = new Holdfast(folder);
        try (Running server = holdfast.start("serve", "--listen", "127.0.0.1:0", "--drain", "4s")) {
            server.awaitOut("holdfast: serving sqlite:");
            Matcher address = ADDRESS.matcher(server.out());
            assertThat(address.find()).as(server.out()).isTrue();
            URI url = URI.create(address.group(1));
            assertThat(post(url + "/v1/leases/deploy/acquire", "{\"holder\":\"curl\"}"))
                    .isEqualTo(200);
            try (Socket waiting = new Socket(url.getHost(), url.getPort());
                    Socket unending = new Socket(url.getHost(), url.getPort())) {
                waiting.setSoTimeout(60_000);
                String body = "{\"holder\":\"b\",\"wait\":\"1h\"}";
                send(waiting, body.length(), body);
                send(unending, 1_000, "{");
                awaitMetric(url, "holdfast_waiting 1.0");
                awaitMetric(url, "holdfast_requests_active 2.0");
                long begun = System.nanoTime();
                server.signal("TERM");

                assertThat(new String(waiting.getInputStream().readNBytes(12), UTF_8))
                        .isEqualTo("HTTP/1.1 503");
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
                assertThat(server.result().code()).isZero();
                // The 4 s of --drain, and as much again for a busy machine.
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
            }
        }
    }

    private static void send(Socket socket, int length, String body) throws IOException {
        socket.getOutputStream()
                .write(("POST /v1/leases/deploy/acquire HTTP/1.1\r\nhost: localhost\r\ncontent-length: " + length
                                + "\r\n\r\n" + body)
                        .getBytes(UTF_8));
    }

    private static void awaitMetric(URI url, String line) throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (System.nanoTime() - deadline < 0) {
            try (InputStream in = url.resolve("/metrics").toURL().openStream()) {
                if (new String(in.readAllBytes(), UTF_8).contains(line + "\n")) {
                    return;
                }
            }
        }
        throw new AssertionError("not in time: " + line);
    }

    @Test
    void aBadAddressIsRejected() {
        Result rejected = new Holdfast(folder).run("serve", "--listen", "nowhere");

        assertThat(rejected.code()).isEqualTo(2);
        assertThat(rejected.err()).contains("--listen: nowhere (expected: HOST:PORT)");
    }

    @Test
    void aServerThatIsOutOfMemoryExits() {
        assertThat(jvmFlags("serve --listen nowhere")).contains("-XX:+ExitOnOutOfMemoryError");
        assertThat(jvmFlags("--quiet serve --listen nowhere")).contains("-XX:+ExitOnOutOfMemoryError");
        assertThat(jvmFlags("show serve")).doesNotContain("ExitOnOutOfMemoryError");
    }

    /** The command line that the launcher starts Java with. */
    private String jvmFlags(String arguments) {
        Result traced = new Holdfast(folder).shell("sh -x \"$(command -v holdfast)\" " + arguments);
        return traced.err()
                .lines()
                .filter(line -> line.contains(" dev.holdfast.cli.Main "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theLibrariesOfTheServerAreOnNoOtherClassPath() throws IOException {
        String script = Files.readString(Holdfast.COMMAND);

        assertThat(script.lines().filter(line -> line.contains("$lib/server")))
                .singleElement()
                .asString()
                .startsWith("if [ -n \"$serves$speaks\" ]");
        assertThat(Holdfast.HOME.resolve("lib/server")).isDirectoryContaining("glob:**/armeria-1*.jar");
    }

    private static int post(String url, String body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setDoOutput(true);
        connection.getOutputStream().write(body.getBytes(UTF_8));
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            in.readAllBytes();
        }
        return status;
    }
}
