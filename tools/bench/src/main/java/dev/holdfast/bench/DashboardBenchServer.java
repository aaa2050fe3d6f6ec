package dev.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.LeasesOptions;
import dev.holdfast.dashboard.Dashboard;
import dev.holdfast.dashboard.DashboardOptions;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.support.ListenerGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** A server with a dashboard in its own process, as {@code holdfast serve} starts it. */
public final class DashboardBenchServer extends BenchProcess {
    DashboardBenchServer(String store) throws IOException {
        super(DashboardBenchServer.class, store);
    }

    /** The heap in use after a garbage collection. */
    long heapBytes() throws IOException {
        return Long.parseLong(ask("heap"));
    }

    /** Argument: the store. Prints its port, then its heap for every line that it reads; ends when its input ends. */
    public static void main(String[] args) throws IOException {
        ServerPerimeter perimeter =
                new ServerPerimeter(PerimeterOptions.builder().build());
        Dashboard dashboard = new Dashboard(DashboardOptions.of(perimeter, "bench", "sqlite"));
        HoldfastServer server = perimeter
                .around(HoldfastServer.builder(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .store(args[0])
                .options(LeasesOptions.builder()
                        .listener(new ListenerGroup(List.of(perimeter.listener(), dashboard.listener())))
                        .build())
                .drain(Duration.ofSeconds(1))
                .with(dashboard)
                .build();
        server.start();
        System.out.println(server.address().getPort());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.gc();
            System.out.println(
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        server.close();
        System.exit(0);
    }
}
