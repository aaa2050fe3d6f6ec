package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsKeyPair;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.extension.ServerExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates and tokens, over gRPC and over plain HTTP. */
@Tag("slow")
class SecurityTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    private Path folder;

    private static HoldfastServer start(ServerExtension extension) {
        HoldfastServer server = HoldfastServer.builder()
                .store("memory:")
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .drain(Duration.ofMillis(100))
                .with(extension)
                .build();
        server.start();
        return server;
    }

    private static LeasesOptions options(boolean background) {
        LeasesOptions.Builder options = LeasesOptions.builder().operationTimeout(Duration.ofSeconds(30));
        return background ? options.build() : options.withoutThreads().build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTokenIsSentWithEveryCall(boolean background) throws Exception {
        ServerExtension guarded = (server, parts) -> server.decorator((delegate, ctx, request) ->
                "Bearer s3cret".equals(request.headers().get("authorization"))
                        ? delegate.serve(ctx, request)
                        : HttpResponse.of(HttpStatus.UNAUTHORIZED));
        Path token = Files.writeString(folder.resolve("token"), "s3cret");
        Path wrong = Files.writeString(folder.resolve("wrong"), "gu3ss");
        try (HoldfastServer server = start(guarded)) {
            String url = "http://127.0.0.1:" + server.address().getPort();
            try (Leases leases = Holdfast.open(url + "?token-file=" + token, options(background))) {
                assertThat(leases.tryAcquire("a").isGranted()).isTrue();
            }
            try (Leases leases = Holdfast.open(url + "?token-file=" + wrong, options(background))) {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> leases.tryAcquire("b"))
                        .satisfies(e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.NOT_APPLIED))
                        .satisfies(e -> assertThat(e.isRetryable()).isFalse())
                        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("gu3ss"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerIsTrustedByItsCertificate(boolean background) throws Exception {
        makeCertificate();
        InetSocketAddress secure = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
        ServerExtension tls = (server, parts) -> server.port(secure, SessionProtocol.HTTPS)
                .tls(TlsKeyPair.of(
                        folder.resolve("key.pem").toFile(),
                        folder.resolve("cert.pem").toFile()));
        try (HoldfastServer server = start(tls)) {
            assertThat(server.address().getPort()).isPositive();
            String url = "https://127.0.0.1:" + secure.getPort();
            try (Leases leases = Holdfast.open(url + "?ca=" + folder.resolve("cert.pem"), options(background))) {
                assertThat(leases.tryAcquire("a").isGranted()).isTrue();
            }
            LeasesOptions impatient = LeasesOptions.builder()
                    .operationTimeout(Duration.ofSeconds(2))
                    .build();
            try (Leases leases = Holdfast.open(url, impatient)) {
                assertThatExceptionOfType(StoreException.class).isThrownBy(() -> leases.tryAcquire("b"));
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void makeCertificate() throws Exception {
        Path store = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        keytool.getInputStream().readAllBytes();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Key key = keys.getKey("server", PASSWORD.toCharArray());
        pem("key.pem", "PRIVATE KEY", key.getEncoded());
        pem("cert.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
    }

    private void pem(String name, String kind, byte[] bytes) throws Exception {
        String body = Base64.getMimeEncoder().encodeToString(bytes);
        Files.writeString(
                folder.resolve(name), "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }

    @Test
    void aFileWithoutACertificateIsRejected() throws Exception {
        Path nonsense = Files.writeString(folder.resolve("ca.pem"), "nonsense");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holdfast.open("https://127.0.0.1:1?ca=" + nonsense, options(true)))
                .withMessageStartingWith("ca, cert, key: ");
    }
}
