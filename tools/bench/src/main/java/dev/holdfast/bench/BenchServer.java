package dev.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.LeasesOptions;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;

/** A server in its own process that reports its cost. It has the limits and metrics of {@code holdfast serve}. */
public final class BenchServer extends BenchProcess {
    public BenchServer(String store) throws IOException {
        super(BenchServer.class, store);
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** The cost of the server so far. */
    Cost cost() throws IOException {
        String[] fields = ask("cost").split(" ", -1);
        return new Cost(Long.parseLong(fields[0]), Long.parseLong(fields[1]), writes());
    }

    /** The number of writes so far, from the server's metrics. */
    private long writes() throws IOException {
        try (BufferedReader metrics = new BufferedReader(
                new InputStreamReader(URI.create(url() + "/metrics").toURL().openStream(), UTF_8))) {
            return metrics.lines()
                    .filter(line -> line.startsWith("holdfast_batch_size_sum "))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' '))))
                    .sum();
        }
    }

    /**
     * The cost of a server.
     *
     * @param heapBytes the heap in use after a garbage collection
     * @param writes the changes sent to the store
     */
    record Cost(long heapBytes, long cpuNanos, long writes) {}

    /** Argument: the store. Prints its port, then its cost for every line that it reads; ends when its input ends. */
    public static void main(String[] args) throws IOException {
        ServerPerimeter perimeter =
                new ServerPerimeter(PerimeterOptions.builder().build());
        LeasesOptions options =
                LeasesOptions.builder().listener(perimeter.listener()).build();
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HoldfastServer server = perimeter
                .around(HoldfastServer.builder(), anyPort)
                .store(args[0])
                .options(options)
                .drain(Duration.ofSeconds(1))
                .build();
        server.start();
        System.out.println(server.address().getPort());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.gc();
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            System.out.println(heap + " " + ownCpuNanos());
        }
        server.close();
        System.exit(0);
    }
}
