package dev.holdfast.server.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.operations.PerimeterOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Isolated;

@Tag("slow")
@Isolated("uses up the open files that the process is allowed")
class IdleConnectionsTest {
    private static final int WANTED = 10_000;

    /**
     * The number of possible connections. The other ends are in a process of their own; this one needs some files for
     * itself.
     */
    private static int possible() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            return (int) Math.min(WANTED, system.getMaxFileDescriptorCount() - 1_000);
        }
        return WANTED;
    }

    @Test
    void manyIdleConnectionsAreNoBurden(TestReporter report) throws IOException {
        int count = possible();
        report.publishEntry("idle connections", count + " of " + WANTED + ", as far as open files are allowed");
        assumeTrue(count >= 500, "too few open files are allowed for this: " + count);
        try (EdgeServer server = EdgeServer.with(PerimeterOptions.builder().build());
                IdleClients idle = IdleClients.connect(server.port(), count)) {
            LeasesGrpc.LeasesBlockingStub leases = server.stub(LeasesGrpc.LeasesBlockingStub.class);
            for (int i = 0; i < 100; i++) {
                assertThat(leases.acquire(AcquireRequest.newBuilder()
                                        .setHolder("ann")
                                        .setName("name-" + i)
                                        .build())
                                .hasGranted())
                        .isTrue();
            }
            assertThat(connections(server)).isGreaterThanOrEqualTo(count);
            assertThat(idle.isAlive()).isTrue();
        }
    }

    private static double connections(EdgeServer server) {
        return server.http()
                .get("/metrics")
                .aggregate()
                .join()
                .contentUtf8()
                .lines()
                .filter(line -> line.startsWith("holdfast_connections "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    @Test
    void aConnectionBeyondTheLimitReplacesTheLongestIdleOne() throws IOException {
        ServerLimits limits = ServerLimits.builder().connections(5).build();
        List<RawClient> clients = new ArrayList<>();
        try (EdgeServer server =
                EdgeServer.with(PerimeterOptions.builder().limits(limits).build())) {
            RawClient busy = new RawClient(server.port());
            clients.add(busy);
            busy.send("GET /v1/watch HTTP/1.1\r\nhost: localhost\r\n\r\n");
            assertThat(busy.line()).isEqualTo("HTTP/1.1 200 OK");
            for (int i = 0; i < 5; i++) {
                RawClient next = new RawClient(server.port());
                clients.add(next);
                next.send("GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n");
                assertThat(next.line()).isEqualTo("HTTP/1.1 200 OK");
                // The server notes a little later that the connection is idle. Without a pause, the next may overtake
                // it.
                assertThat(next.isCutWithin(200)).isFalse();
            }
            // One address has four fifths of the places: the watch, and the last three.
            assertThat(clients.get(1).isCutWithin(60_000)).isTrue();
            assertThat(clients.get(2).isCutWithin(60_000)).isTrue();
            for (RawClient each : clients.subList(3, clients.size())) {
                assertThat(each.isCutWithin(50)).isFalse();
            }
            assertThat(busy.isCutWithin(50)).isFalse();
            clients.get(5).send("GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
            assertThat(clients.get(5).rest()).contains("holdfast_refused_total{limit=\"connections\"} 2.0");
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }
}
