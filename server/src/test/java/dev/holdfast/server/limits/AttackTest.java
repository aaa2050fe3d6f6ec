package dev.holdfast.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.proto.v1.SessionRequest;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.Eventually;
import dev.holdfast.server.log.ExpectedLog;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.server.security.NewToken;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * One client that tries to shut out the others. Throughout, the server answers an ordinary client, and so does a second
 * server on the same store. Ten seconds after the attack the server has recovered.
 */
@Tag("slow")
@ExpectedLog("the request did not arrive in time")
@Isolated("its clients want an undisturbed server")
class AttackTest {
    private static final String ATTACKER = "127.0.0.2";
    private static final String OTHER = "127.0.0.3";
    private static final String LEASES = "/holdfast.v1.Leases/";
    private static final String HEALTH_WATCH = "/grpc.health.v1.Health/Watch";
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final NewToken ann = NewToken.create("ann", List.of("admin=*"));
    private final NewToken reader = NewToken.create("reader", List.of("read=*"));
    private final Leases leases = Holdfast.open("memory:");
    private final List<AutoCloseable> opened = new ArrayList<>();
    private EdgeServer attacked;
    private OrdinaryClient client;
    private OrdinaryClient clientOfSecond;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        ServerLimits limits = ServerLimits.builder()
                .connections(50)
                .requests(100)
                .healthCalls(20, 50)
                .bodyBytes(2 << 20, 8 << 20)
                .patience(PATIENCE)
                .build();
        attacked = server(limits);
        EdgeServer second = server(ServerLimits.DEFAULT);
        client = opened(new OrdinaryClient(attacked, ann.secret(), "first"));
        clientOfSecond = opened(new OrdinaryClient(second, ann.secret(), "second"));
    }

    private EdgeServer server(ServerLimits limits) throws IOException {
        Path tokens = Files.write(folder.resolve("tokens"), List.of(ann.line(), reader.line()));
        ServerPerimeter serverPerimeter = new ServerPerimeter(
                PerimeterOptions.builder().tokens(tokens).limits(limits).build());
        return opened(
                EdgeServer.with(serverPerimeter, server -> server.leases(leases).drain(Duration.ofSeconds(1))));
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.add(0, resource);
        return resource;
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        leases.close();
    }

    private RawHttp2 attacker() throws IOException {
        return opened(new RawHttp2(attacked.port(), ATTACKER));
    }

    private String bearer(NewToken token) {
        return "Bearer " + token.secret();
    }

    private double metric(String name) {
        return attacked.http()
                .prepare()
                .get("/metrics")
                .header("authorization", bearer(ann))
                .execute()
                .aggregate()
                .join()
                .contentUtf8()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    private int status(String from, String path) throws IOException {
        try (RawClient probe = new RawClient(attacked.port(), from)) {
            probe.send("GET " + path + " HTTP/1.1\r\nhost: x\r\nauthorization: " + bearer(ann) + "\r\n\r\n");
            String line = probe.line();
            return line.isEmpty() ? 0 : Integer.parseInt(line.substring(9, 12));
        }
    }

    /** Asserts that the ordinary clients were served throughout, and that nothing of the attack is left. */
    private void othersWereServed() throws Exception {
        assertThat(status(OTHER, "/health/live")).isEqualTo(200);
        client.wasServedPromptly();
        clientOfSecond.wasServedPromptly();
        for (AutoCloseable each : List.copyOf(opened)) {
            if (each instanceof RawHttp2 || each instanceof RawClient) {
                each.close();
            }
        }
        long ended = System.nanoTime();
        Eventually.until(() -> metric("holdfast_requests_active") == 0);
        Eventually.until(() -> metric("holdfast_request_bytes") == 0);
        assertThat(status(OTHER, "/health/ready")).isEqualTo(200);
        assertThat(status(OTHER, "/v1/leases")).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - ended)).isLessThan(Duration.ofSeconds(10));
    }

    private static void watchHealth(RawHttp2 connection) throws IOException {
        int stream = connection.post(HEALTH_WATCH);
        connection.send(stream, RawHttp2.message(new byte[0]), SOON);
        connection.end(stream);
    }

    @Test
    void healthWatchesTakeNoPlacesOfOtherRequests() throws Exception {
        int streams = 0;
        List<RawHttp2> attackers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            RawHttp2 attacker = attacker();
            attackers.add(attacker);
            for (int stream = 0; stream < 60; stream++, streams++) {
                watchHealth(attacker);
            }
        }
        int all = streams;

        Eventually.until(() -> attackers.stream().mapToInt(RawHttp2::ended).sum() == all - 20);
        RawHttp2 elsewhere = opened(new RawHttp2(attacked.port(), OTHER));
        watchHealth(elsewhere);
        assertThat(elsewhere.awaitEnded(1, Duration.ofMillis(200))).isFalse();
        assertThat(metric("holdfast_refused_total{limit=\"health_calls\"}")).isEqualTo(all - 20);
        othersWereServed();
    }

    @Test
    void idleConnectionsAreReplaced() throws Exception {
        for (int i = 0; i < 100; i++) {
            opened(new RawClient(attacked.port(), ATTACKER));
            if (i % 10 == 9) {
                assertThat(status(ATTACKER, "/health/live")).isEqualTo(200);
                assertThat(status(ATTACKER, "/v1/leases")).isEqualTo(200);
                assertThat(status(OTHER, "/v1/leases")).isEqualTo(200);
            }
        }
        assertThat(metric("holdfast_connections")).isLessThanOrEqualTo(50 + ConnectionTable.RESERVE);
        othersWereServed();
    }

    @Test
    void busyConnectionsLeaveHealthChecksToTheirAddressAndEverythingToOthers() throws Exception {
        List<RawClient> watching = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            RawClient watch = opened(new RawClient(attacked.port(), ATTACKER));
            watch.send("GET /v1/watch HTTP/1.1\r\nhost: x\r\nauthorization: " + bearer(reader) + "\r\n\r\n");
            if (watch.line().startsWith("HTTP/1.1 200 ")) {
                watching.add(watch);
            }
        }
        // One address can have four fifths of the 50 places that the others leave free.
        assertThat(watching).hasSizeBetween(30, 40);

        assertThat(status(ATTACKER, "/health/live")).isEqualTo(200);
        assertThat(status(ATTACKER, "/v1/leases")).isEqualTo(429);
        assertThat(status(OTHER, "/v1/leases")).isEqualTo(200);
        othersWereServed();
    }

    @Test
    void streamsThatDoNotBeginLeaveRoomForOthersAndAreCutOff() throws Exception {
        RawHttp2 attacker = attacker();
        for (int i = 0; i < 150; i++) {
            attacker.post(LEASES + (i % 2 == 0 ? "Session" : "Calls"), "authorization", bearer(reader));
        }
        Eventually.until(() -> attacker.ended() >= 150 - 80);
        assertThat(metric("holdfast_requests_active")).isLessThanOrEqualTo(82);

        assertThat(attacker.awaitEnded(150, SOON)).isTrue();
        assertThat(attacker.isClosed()).isFalse();
        assertThat(metric("holdfast_refused_total{limit=\"slow_sender\"}")).isBetween(70.0, 80.0);
        othersWereServed();
    }

    @Test
    void callsAndMessagesThatDoNotEndAreCutOff() throws Exception {
        RawHttp2 attacker = attacker();
        for (String method : List.of("Acquire", "List", "Watch", "Session", "Calls")) {
            int stream = attacker.post(LEASES + method, "authorization", bearer(ann));
            assertThat(attacker.send(stream, new byte[] {0, 0, 0, 1, 0, 7}, SOON))
                    .isEqualTo(6);
        }
        int session = attacker.post(LEASES + "Session", "authorization", bearer(ann));
        SessionRequest.Open open = SessionRequest.Open.newBuilder()
                .setHolder("begun")
                .setToken(java.util.UUID.randomUUID().toString())
                .setTerm(com.google.protobuf.Duration.newBuilder().setSeconds(60))
                .build();
        byte[] begun = RawHttp2.message(
                SessionRequest.newBuilder().setOpen(open).build().toByteArray());
        attacker.send(session, begun, SOON);

        assertThat(attacker.awaitEnded(5, SOON)).isTrue();
        assertThat(attacker.awaitEnded(6, PATIENCE.dividedBy(2))).isFalse();
        attacker.send(session, new byte[] {0, 0, 0}, SOON);
        assertThat(attacker.awaitEnded(6, SOON)).isTrue();
        othersWereServed();
    }

    @Test
    void bodiesWithoutATokenAreNotKept() throws Exception {
        long before = directMemory();
        RawHttp2 attacker = attacker();
        long sent = 0;
        for (int i = 0; i < 75; i++) {
            sent += attacker.send(attacker.post(LEASES + "Acquire"), new byte[1_000_000], SOON);
            assertThat(metric("holdfast_request_bytes")).isLessThan(100_000);
        }
        assertThat(attacker.awaitEnded(75, SOON)).isTrue();
        assertThat(sent).isLessThan(75_000_000);
        assertThat(directMemory() - before).isLessThan(32 << 20);
        othersWereServed();
    }

    @Test
    void bodiesWithATokenAreBoundedInTotalAndCutOff() throws Exception {
        long before = directMemory();
        List<RawHttp2> attackers = new ArrayList<>();
        double most = 0;
        for (int i = 0; i < 10; i++) {
            RawHttp2 attacker = attacker();
            attackers.add(attacker);
            for (int stream = 0; stream < 5; stream++) {
                attacker.send(
                        attacker.post(LEASES + "Acquire", "authorization", bearer(reader)), new byte[1_000_000], SOON);
            }
            most = Math.max(most, metric("holdfast_request_bytes"));
        }
        // One connection can have 2 MiB, one client four fifths of 8 MiB, and the ordinary client has a few bytes.
        assertThat(most).isBetween(1_000_000.0, 7_000_000.0);
        assertThat(directMemory() - before).isLessThan(32 << 20);
        assertThat(metric("holdfast_refused_total{limit=\"body_bytes\"}")).isGreaterThan(10);
        for (RawHttp2 attacker : attackers) {
            assertThat(attacker.awaitEnded(5, SOON)).isTrue();
        }
        Eventually.until(() -> metric("holdfast_request_bytes") < 100_000);
        othersWereServed();
    }

    private static long directMemory() {
        return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT)
                .metric()
                .usedDirectMemory();
    }
}
