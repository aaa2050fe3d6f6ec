package dev.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.common.TlsKeyPair;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.log.ExpectedLog;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@ExpectedLog("NotSslRecordException") // One client connects without TLS.
class TlsTest {
    @TempDir
    static Path folder;

    private static Certificates server;
    private static Certificates renewed;
    private static Certificates worker;
    private static Certificates stranger;

    @BeforeAll
    static void create() throws Exception {
        server = Certificates.create(folder, "server");
        renewed = Certificates.create(folder, "renewed");
        worker = Certificates.create(folder, "worker-7");
        stranger = Certificates.create(folder, "stranger");
    }

    private static PerimeterOptions.Builder options() {
        return PerimeterOptions.builder().tls(server.certificate, server.key);
    }

    private static ClientFactoryBuilder trusting(Certificates trusted) {
        return ClientFactory.builder()
                .tlsCustomizer(tls -> tls.trustManager(trusted.certificate.toFile()))
                .connectTimeoutMillis(60_000);
    }

    private static ClientFactory showing(Certificates shown) {
        return trusting(server)
                .tls(TlsKeyPair.of(shown.key.toFile(), shown.certificate.toFile()))
                .build();
    }

    private static Status.Code ask(EdgeServer server, ClientFactory factory, String secret) {
        try (factory) {
            var client = server.secure(factory);
            if (!secret.isEmpty()) {
                client.addHeader("authorization", "Bearer " + secret);
            }
            client.build(LeasesGrpc.LeasesBlockingStub.class)
                    .get(GetRequest.newBuilder()
                            .setNamespace("jobs")
                            .setName("a")
                            .build());
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    @Test
    void onlyAClientThatTrustsTheCertificateIsServed() {
        try (EdgeServer running = EdgeServer.with(options().build())) {
            assertThat(ask(running, trusting(server).build(), "")).isEqualTo(Status.Code.OK);
            assertThat(ask(running, trusting(renewed).build(), "")).isNotEqualTo(Status.Code.OK);
            StatusRuntimeException plain = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> running.stub(LeasesGrpc.LeasesBlockingStub.class).get(GetRequest.getDefaultInstance()));
            assertThat(plain.getStatus().getCode()).isNotEqualTo(Status.Code.OK);
        }
    }

    @Test
    void aReplacedCertificateIsPresentedToNewConnections() throws IOException {
        Path certificate = Files.copy(server.certificate, folder.resolve("current.crt"));
        Path key = Files.copy(server.key, folder.resolve("current.key"));
        ServerTls tls = new ServerTls(certificate, key, null, ClientAuth.NONE);
        try (EdgeServer running = new EdgeServer(builder -> builder.encrypted().with((to, leases) -> tls.extend(to)))) {
            assertThat(ask(running, trusting(server).build(), "")).isEqualTo(Status.Code.OK);

            Files.copy(renewed.certificate, certificate, StandardCopyOption.REPLACE_EXISTING);
            tls.reloaded().look();
            // Only half of the new pair is there, so the old one stays.
            assertThat(ask(running, trusting(server).build(), "")).isEqualTo(Status.Code.OK);

            Files.copy(renewed.key, key, StandardCopyOption.REPLACE_EXISTING);
            tls.reloaded().look();
            assertThat(ask(running, trusting(renewed).build(), "")).isEqualTo(Status.Code.OK);
            assertThat(ask(running, trusting(server).build(), "")).isNotEqualTo(Status.Code.OK);
        }
    }

    @Test
    void withoutTokensACertificateOfTheRightAuthorityIsEnough() {
        PerimeterOptions options =
                options().clientAuthorities(worker.certificate).build();
        try (EdgeServer running = EdgeServer.with(options)) {
            assertThat(ask(running, showing(worker), "")).isEqualTo(Status.Code.OK);
            assertThat(ask(running, showing(stranger), "")).isNotEqualTo(Status.Code.OK);
            assertThat(ask(running, trusting(server).build(), "")).isNotEqualTo(Status.Code.OK);
        }
    }

    @Test
    void withTokensTheFileHasThePermissionsOfACertificate() throws IOException {
        String secret = TokenSecret.create();
        Path tokens = Files.write(
                folder.resolve("tokens"),
                java.util.List.of("w cert:worker-7 read=jobs", "x " + TokenSecret.hashText(secret) + " read=jobs"));
        Path authorities = Files.writeString(
                folder.resolve("authorities.crt"),
                Files.readString(worker.certificate) + Files.readString(stranger.certificate));
        PerimeterOptions options =
                options().clientAuthorities(authorities).tokens(tokens).build();
        try (EdgeServer running = EdgeServer.with(options)) {
            assertThat(ask(running, showing(worker), "")).isEqualTo(Status.Code.OK);
            assertThat(ask(running, showing(stranger), "")).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(ask(running, trusting(server).build(), secret)).isEqualTo(Status.Code.OK);
            assertThat(ask(running, trusting(server).build(), "")).isEqualTo(Status.Code.UNAUTHENTICATED);
        }
    }

    @Test
    void badOptionsAreRejectedAtTheStart() throws IOException {
        Path nonsense = Files.writeString(folder.resolve("nonsense"), "nonsense");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerPerimeter(
                        PerimeterOptions.builder().tls(nonsense, server.key).build()))
                .withMessageContaining("nonsense");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerPerimeter(PerimeterOptions.builder()
                        .tls(server.certificate, renewed.key)
                        .build()))
                .withMessageContaining("(expected: the private key of the first certificate in");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerPerimeter(PerimeterOptions.builder()
                        .tls(server.certificate, folder.resolve("missing"))
                        .build()))
                .withMessageContaining("missing");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        PerimeterOptions.builder().tls(server.certificate, null).build())
                .withMessage("--tls-cert and --tls-key: only one of them (expected: both or none)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PerimeterOptions.builder()
                        .clientAuthorities(worker.certificate)
                        .build())
                .withMessageStartingWith("--tls-client-ca: without --tls-cert");
    }
}
