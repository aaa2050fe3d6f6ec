package dev.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.LeasesOptions;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** A server in its own process that reports its cost. It has the limits and metrics of {@code holdfast serve}. */
final class BenchServer implements AutoCloseable {
    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader responses;
    private final int port;
    private double cpuMicrosBefore;

    private BenchServer(Process process) throws IOException {
        this.process = process;
        this.commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
        this.responses = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        this.port = Integer.parseInt(responses.readLine());
    }

    static BenchServer on(String store) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new BenchServer(new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), BenchServer.class.getName(), store)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** The CPU time since the last call. */
    double cpuMicros() {
        double now = process.info().totalCpuDuration().orElseThrow().toNanos() / 1e3;
        double spent = now - cpuMicrosBefore;
        cpuMicrosBefore = now;
        return spent;
    }

    int port() {
        return port;
    }

    /** The cost of the server so far. */
    Cost cost() throws IOException {
        commands.write("cost\n");
        commands.flush();
        String[] fields = responses.readLine().split(" ", -1);
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

    @Override
    public void close() throws IOException {
        commands.close();
        process.destroy();
    }

    /** Argument: the store. Prints its port, then its cost for every line that it reads; ends when its input ends. */
    public static void main(String[] args) throws IOException {
        ServerPerimeter serverPerimeter =
                new ServerPerimeter(PerimeterOptions.builder().build());
        LeasesOptions options =
                LeasesOptions.builder().listener(serverPerimeter.listener()).build();
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HoldfastServer server = serverPerimeter
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
            System.out.println(heap + " " + cpuNanos());
        }
        server.close();
        System.exit(0);
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
