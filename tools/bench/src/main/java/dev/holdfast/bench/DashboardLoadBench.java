package dev.holdfast.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cost of open dashboards: 50 of them, on a server with 100,000 leases, without and with traffic through the server. The
 * aim is less than a tenth of one core.
 */
public final class DashboardLoadBench {
    private static final int LEASES = 100_000;
    private static final int DASHBOARDS = 50;
    private static final Duration MEASURED = Duration.ofSeconds(60);
    private static final int ACQUIRES_PER_SECOND = 20;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<InputStream> streams = new ArrayList<>();
    private final AtomicLong received = new AtomicLong();

    private DashboardLoadBench() {}

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("dashboard-bench");
        String store = "sqlite:" + folder.resolve("leases.db");
        fill(store);
        try (DashboardBenchServer server = new DashboardBenchServer(store)) {
            new DashboardLoadBench().run(server);
        }
    }

    private static void fill(String store) {
        AcquireOptions options =
                AcquireOptions.defaults().term(Duration.ofDays(7)).autoRenew(false);
        try (Leases leases = Holdfast.open(store)) {
            for (int from = 0; from < LEASES; from += 1_000) {
                List<CompletableFuture<?>> grants = new ArrayList<>();
                for (int i = from; i < from + 1_000; i++) {
                    grants.add(leases.async()
                            .tryAcquire(Key.of("ns-" + i % 100, "job-" + i), options.holder("worker-" + i % 50))
                            .toCompletableFuture());
                }
                CompletableFuture.allOf(grants.toArray(CompletableFuture[]::new))
                        .join();
            }
        }
    }

    private void run(DashboardBenchServer server) throws IOException, InterruptedException {
        String url = "http://127.0.0.1:" + server.port();
        acquire(url, 200); // Warms up.
        long heapBefore = server.heapBytes();
        double idle = share(server, url, 0);
        double traffic = share(server, url, ACQUIRES_PER_SECOND);
        for (int i = 0; i < DASHBOARDS; i++) {
            open(url, view(i));
        }
        Thread.sleep(20_000);
        double shown = share(server, url, 0);
        double shownTraffic = share(server, url, ACQUIRES_PER_SECOND);
        long bytes = received.get();
        long heapOpen = server.heapBytes();
        closeAll();
        long heapAfter = server.heapBytes();
        System.out.printf(
                "%d dashboards, %d leases: %.1f %% of a core without traffic (%.1f %% without dashboards)%n",
                DASHBOARDS, LEASES, shown, idle);
        System.out.printf(
                "with %d acquires/s: %.1f %% (%.1f %% without dashboards); %d kB sent%n",
                ACQUIRES_PER_SECOND, shownTraffic, traffic, bytes >> 10);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < DASHBOARDS; i++) {
                open(url, view(i));
            }
            Thread.sleep(10_000);
            long open = server.heapBytes();
            closeAll();
            System.out.printf("opened again: %d kB, closed again: %d kB%n", open >> 10, server.heapBytes() >> 10);
        }
        System.out.printf(
                "heap: %d kB before, %d kB with all open, %d kB after closing%n",
                heapBefore >> 10, heapOpen >> 10, heapAfter >> 10);
    }

    private void closeAll() throws IOException, InterruptedException {
        for (InputStream stream : streams) {
            stream.close();
        }
        streams.clear();
        Thread.sleep(3_000);
    }

    /** Half of the dashboards show the same views, the others views of their own. */
    private static String view(int i) {
        if (i < 10) {
            return "view=overview";
        } else if (i < 20) {
            return "view=leases";
        } else if (i < 45) {
            return "view=leases&search=ns-" + i + "/job";
        }
        return i < 48 ? "view=contention" : "view=fleets";
    }

    private void open(String url, String view) throws IOException, InterruptedException {
        InputStream in = http.send(
                        HttpRequest.newBuilder(URI.create(url + "/ui/api/live?" + view))
                                .header("x-holdfast-dashboard", "1")
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream())
                .body();
        streams.add(in);
        Thread reader = new Thread(() -> {
            byte[] buffer = new byte[16 << 10];
            try {
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    received.addAndGet(read);
                }
            } catch (IOException e) {
                // It is closed.
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    /** The share of one core that the server takes, in percent. */
    private double share(DashboardBenchServer server, String url, int perSecond)
            throws IOException, InterruptedException {
        server.cpuMicros();
        long begun = System.nanoTime();
        for (int second = 0; second < MEASURED.toSeconds(); second++) {
            acquire(url, perSecond);
            long next = begun + (second + 1) * 1_000_000_000L;
            Thread.sleep(Math.max(0, (next - System.nanoTime()) / 1_000_000));
        }
        return 100 * server.cpuMicros() * 1e3 / (System.nanoTime() - begun);
    }

    private void acquire(String url, int count) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/v1/leases/busy-" + i % 10 + "/acquire"))
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"holder\":\"bench\",\"namespace\":\"ns-" + (20 + i % 25) + "\",\"term\":\"1s\"}"))
                    .build();
            http.send(request, HttpResponse.BodyHandlers.discarding());
        }
    }
}
