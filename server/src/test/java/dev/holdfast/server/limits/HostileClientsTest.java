package dev.holdfast.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.operations.PerimeterOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Clients that send invalid bytes, or send as slowly as they can: the server stays responsive. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("StringConcatToTextBlock") // HTTP requires these line endings.
@Tag("slow")
class HostileClientsTest {
    private static final String HTTP2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final long SEED = 20260115;

    private EdgeServer server;
    private int asked;

    @BeforeAll
    void start() {
        ServerLimits limits =
                ServerLimits.builder().patience(Duration.ofSeconds(1)).build();
        server = EdgeServer.with(PerimeterOptions.builder().limits(limits).build());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private void isResponsive() {
        assertThat(server.stub(LeasesGrpc.LeasesBlockingStub.class)
                        .acquire(AcquireRequest.newBuilder()
                                .setHolder("ann")
                                .setName("name-" + asked++)
                                .build())
                        .hasGranted())
                .isTrue();
    }

    private double metric(String name) {
        return server.http()
                .get("/metrics")
                .aggregate()
                .join()
                .contentUtf8()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    @Test
    void randomBytesDoNoHarm() throws IOException {
        Random dice = new Random(SEED);
        for (int round = 0; round < 200; round++) {
            byte[] noise = new byte[dice.nextInt(2_000)];
            dice.nextBytes(noise);
            try (RawClient client = new RawClient(server.port())) {
                switch (dice.nextInt(4)) {
                    case 0 -> client.send(noise);
                    case 1 -> client.send(HTTP2).send(noise);
                    case 2 ->
                        client.send("POST /holdfast.v1.Leases/Acquire HTTP/1.1\r\nhost: localhost\r\ncontent-type:"
                                        + " application/grpc\r\ncontent-length: " + noise.length + "\r\n\r\n")
                                .send(noise);
                    default -> client.send("GET /").send(noise).send("\r\n\r\n");
                }
            } catch (java.net.SocketException ignored) {
                // Cut off while still sending, as expected.
            }
        }
        isResponsive();
    }

    @Test
    void malformedJsonAndBadValuesAreRejected() {
        String good = "{\"holder\":\"me\",\"term\":\"30s\",\"wait\":\"0s\",\"attributes\":{\"a\":1}}";
        Random dice = new Random(SEED);
        for (int round = 0; round < 200; round++) {
            byte[] body = good.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            for (int i = dice.nextInt(5); i >= 0; i--) {
                body[dice.nextInt(body.length)] = (byte) dice.nextInt();
            }
            int status = server.http()
                    .post("/v1/leases/fuzzed-" + round + "/acquire", body)
                    .aggregate()
                    .join()
                    .status()
                    .code();
            assertThat(status).isIn(200, 400);
        }
        String deep = "[".repeat(50_000) + "]".repeat(50_000);
        assertThat(server.http()
                        .post("/v1/leases/deep/acquire", "{\"attributes\":{\"a\":" + deep + "}}")
                        .aggregate()
                        .join()
                        .status()
                        .code())
                .isEqualTo(400);
        isResponsive();
    }

    @Test
    void headersThatAreTooLargeAreRejected() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /health/live HTTP/1.1\r\nhost: localhost\r\nlarge: " + "x".repeat(20_000) + "\r\n\r\n");
            assertThat(client.line()).startsWith("HTTP/1.1 431 ");
        }
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nhost: localhost\r\n\r\n");
            assertThat(client.line()).startsWith("HTTP/1.1 414 ");
        }
        isResponsive();
    }

    @Test
    void messagesThatAreTooLargeAreRejected() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(
                    "POST /holdfast.v1.Leases/Acquire HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/grpc\r\n"
                            + "content-length: 3000000\r\n\r\n");
            assertThat(client.line()).startsWith("HTTP/1.1 413 ");
        }
        isResponsive();
    }

    @Test
    void aClientThatNeverCompletesARequestIsCutOff() throws IOException, InterruptedException {
        double before = metric("holdfast_refused_total{limit=\"slow_sender\"}");
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(new RawClient(server.port()).send("GET /health/live HTTP/1.1\r\n"));
        }
        // Sends a byte now and then, until the server closes the connection.
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        int cut = 0;
        while (cut < clients.size() && System.nanoTime() - deadline < 0) {
            Thread.sleep(200);
            cut = 0;
            for (RawClient client : clients) {
                try {
                    client.send("x");
                } catch (IOException e) {
                    cut++;
                }
            }
        }
        assertThat(cut).isEqualTo(clients.size());
        assertThat(metric("holdfast_refused_total{limit=\"slow_sender\"}")).isGreaterThanOrEqualTo(before + 20);
        for (RawClient client : clients) {
            client.close();
        }
        isResponsive();
    }

    @Test
    void aClientThatNeverSendsTheAnnouncedBodyIsCutOff() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(
                    "POST /holdfast.v1.Leases/Acquire HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/grpc\r\n"
                            + "content-length: 100\r\n\r\n12345");
            assertThat(client.isCut()).isTrue();
        }
        isResponsive();
    }

    @Test
    void aWatchMayLastForLongerThanARequestMayTakeToArrive() throws IOException {
        double before = metric("holdfast_refused_total{limit=\"slow_sender\"}");
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /v1/watch HTTP/1.1\r\nhost: localhost\r\n\r\n");
            assertThat(client.line()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(client.isCutWithin(2_500)).isFalse();
        }
        assertThat(metric("holdfast_refused_total{limit=\"slow_sender\"}")).isEqualTo(before);
    }
}
