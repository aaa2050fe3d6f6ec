package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.server.security.NewToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens and certificates that are replaced while a client runs. */
@Tag("slow")
class CredentialsReloadTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    private Path folder;

    private static LeasesOptions options(boolean background) {
        LeasesOptions.Builder options = LeasesOptions.builder().holder("ann").operationTimeout(Duration.ofMinutes(1));
        return background ? options.build() : options.withoutThreads().build();
    }

    private static HoldfastServer.Builder builder(int port) {
        return HoldfastServer.builder()
                .store("memory:")
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .drain(Duration.ofMillis(100));
    }

    private static void until(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.MINUTES.toNanos(1));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTokenIsReadAgainFromItsFile(boolean background) throws Exception {
        AtomicReference<String> admitted = new AtomicReference<>("Bearer first");
        Path file = Files.writeString(folder.resolve("token"), "first\n");
        try (HoldfastServer server = builder(0)
                .with((armeria, parts) -> armeria.decorator((delegate, ctx, request) ->
                        Objects.equals(admitted.get(), request.headers().get("authorization"))
                                ? delegate.serve(ctx, request)
                                : HttpResponse.of(HttpStatus.UNAUTHORIZED)))
                .build()) {
            server.start();
            String url = "http://127.0.0.1:" + server.address().getPort() + "?token-file=" + file;
            try (Leases leases = Holdfast.open(url, options(background))) {
                assertThat(leases.get(Key.of("a"))).isEmpty();

                Files.writeString(file, "another\n");
                admitted.set("Bearer another");
                assertThat(leases.get(Key.of("a"))).isEmpty();

                // A file that is incomplete or missing changes nothing.
                Files.writeString(file, "");
                assertThat(leases.get(Key.of("a"))).isEmpty();
                Files.delete(file);
                assertThat(leases.get(Key.of("a"))).isEmpty();
            }
        }
    }

    @Test
    void leasesStayHeldWhileTheTokenIsReplaced() throws Exception {
        NewToken before = NewToken.create("ann", List.of("lease=*"));
        NewToken after = NewToken.create("ann", List.of("lease=*"));
        Path tokens = Files.writeString(folder.resolve("tokens"), before.line() + "\n");
        Path file = Files.writeString(folder.resolve("token"), before.secret());
        try (ServerPerimeter serverPerimeter = new ServerPerimeter(
                        PerimeterOptions.builder().tokens(tokens).build());
                HoldfastServer server = serverPerimeter
                        .around(builder(0), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .build()) {
            server.start();
            String url = "http://127.0.0.1:" + server.address().getPort();
            try (Leases leases = Holdfast.open(url + "?token-file=" + file, options(true))) {
                Anchor anchor = leases.anchor("worker", Duration.ofMinutes(5));
                Lease under = leases.tryAcquire(
                                Key.of("jobs", "under"),
                                AcquireOptions.defaults().under(anchor))
                        .orThrow();
                Lease alone = leases.tryAcquire(
                                Key.of("jobs", "alone"),
                                AcquireOptions.defaults().term(Duration.ofMinutes(5)))
                        .orThrow();
                anchor.renew();

                Files.writeString(tokens, before.line() + "\n" + after.line() + "\n");
                until(() -> isAdmitted(url, after));
                Files.writeString(file, after.secret());
                Files.writeString(tokens, after.line() + "\n");
                until(() -> !isAdmitted(url, before));

                anchor.renew();
                alone.renew();
                assertThat(under.isHeld()).isTrue();
                assertThat(under.release()).isTrue();
                assertThat(alone.release()).isTrue();
            }
        }
    }

    private static boolean isAdmitted(String url, NewToken token) {
        return WebClient.builder(url)
                        .addHeader("authorization", "Bearer " + token.secret())
                        .build()
                        .get("/v1/leases")
                        .aggregate()
                        .join()
                        .status()
                        .code()
                == 200;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void certificatesAreReadAgainFromTheirFiles(boolean background) throws Exception {
        makeKeyPair("first");
        makeKeyPair("second");
        int port = freePort();
        use("first");
        String url = "https://127.0.0.1:" + port + "?ca=" + file("ca.pem") + "&cert=" + file("cert.pem") + "&key="
                + file("key.pem");
        Leases leases = Holdfast.open(url, options(background));
        try (ServerPerimeter serverPerimeter = mutual("first");
                HoldfastServer server = start(serverPerimeter, port)) {
            assertThat(server.address().getPort()).isEqualTo(port);
            assertThat(leases.get(Key.of("a"))).isEmpty();
        }
        use("second");
        // Closed first, because the client needs a server to release its leases.
        try (ServerPerimeter serverPerimeter = mutual("second");
                HoldfastServer server = start(serverPerimeter, port);
                leases) {
            assertThat(server.address().getPort()).isEqualTo(port);
            assertThat(leases.tryAcquire("b").isGranted()).isTrue();
        }
    }

    private static HoldfastServer start(ServerPerimeter serverPerimeter, int port) {
        HoldfastServer server = serverPerimeter
                .around(builder(port), new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .build();
        server.start();
        return server;
    }

    /** A server that authenticates its clients by the same certificate by which they authenticate it. */
    private ServerPerimeter mutual(String name) {
        return new ServerPerimeter(PerimeterOptions.builder()
                .tls(file(name + "-cert.pem"), file(name + "-key.pem"))
                .clientAuthorities(file(name + "-cert.pem"))
                .build());
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private void use(String name) throws IOException {
        Files.copy(file(name + "-cert.pem"), file("ca.pem"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(file(name + "-cert.pem"), file("cert.pem"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(file(name + "-key.pem"), file("key.pem"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void makeKeyPair(String name) throws Exception {
        Path store = file(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
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
        String output = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        pem(
                name + "-key.pem",
                "PRIVATE KEY",
                keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
        pem(name + "-cert.pem", "CERTIFICATE", keys.getCertificate(name).getEncoded());
    }

    private void pem(String name, String kind, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder().encodeToString(bytes);
        Files.writeString(file(name), "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }
}
