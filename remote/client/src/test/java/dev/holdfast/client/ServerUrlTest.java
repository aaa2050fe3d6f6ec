package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.support.StoreUrl.UrlHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerUrlTest {
    @Test
    void severalServersAreSeparatedByCommas() {
        ServerUrl url = ServerUrl.parse("HTTPS://one:1,two,[::1]:3/", null);

        assertThat(url.servers())
                .containsExactly(new UrlHost("one", 1), new UrlHost("two", 7475), new UrlHost("[::1]", 3));
        assertThat(url.security().tls()).isTrue();
        assertThat(url.security().token()).isNull();
        assertThat(url.doneCache()).isEqualTo(DoneKeyCache.Bounds.NONE);
    }

    @Test
    void aTokenComesFromAFileOrElseFromTheEnvironmentAndIsHidden(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "of-file\n");

        ServerUrl ofFile = ServerUrl.parse("http://one?token-file=" + file, "of-environment");
        ServerUrl ofEnvironment = ServerUrl.parse("http://one", "of-environment");

        assertThat(java.util.Objects.requireNonNull(ofFile.security().token()).get())
                .isEqualTo("of-file");
        assertThat(java.util.Objects.requireNonNull(ofEnvironment.security().token())
                        .get())
                .isEqualTo("of-environment");
        assertThat(ofFile.toString()).doesNotContain("of-file");
    }

    @Test
    void theCacheOfDoneKeysHasBounds() {
        DoneKeyCache.Bounds bounds = ServerUrl.parse(
                        "http://one?done-cache=100&done-cache-age=5m&done-cache-preload=a%26b", null)
                .doneCache();

        assertThat(bounds).isEqualTo(new DoneKeyCache.Bounds(100, Duration.ofMinutes(5), "a&b"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    http://                        | store: http... (expected: http://HOST:PORT
                    http://me:secret@one           | store: http... (expected: http://HOST:PORT
                    ftp://one                      | store: http... (expected: http://HOST:PORT
                    http:one                       | store: http... (expected: http://HOST:PORT
                    http://one?ca=a#b              | store: http... (expected: http://HOST:PORT
                    http://one,,two                | host: "" (expected: HOST or HOST:PORT)
                    http://one:99999               | port: 99999 (expected: 1 to 65535)
                    http://one/path                | store: http... (expected: http://HOST:PORT
                    http://one?what=1              | parameter: what (expected: NAME=VALUE with one of the names ca,
                    http://one?done-cache=0        | done-cache: 0 (expected: 1 to 99999999 keys)
                    http://one?done-cache-age=1s   | done-cache: none (expected: how many keys
                    http://one?done-cache=1&done-cache-age=1x | done-cache-age: 1x (expected: a duration
                    http://one?token-file=/none    | token-file: /none (expected: a file that can be read)
                    https://one?ca=/none           | ca: /none (expected: a file that can be read)
                    """)
    void invalidUrlsAreRejected(String url, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerUrl.parse(url, null))
                .withMessageStartingWith(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    }
}
