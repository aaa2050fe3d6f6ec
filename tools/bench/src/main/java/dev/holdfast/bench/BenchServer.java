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

/** A server in a process of its own, with limits and metrics as {@code holdfast serve}, that can be asked what it costs. */
final class BenchServer implements AutoCloseable {
    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;
    private final int port;
    private double cpuMicrosBefore;

    private BenchServer(Process process) throws IOException {
        this.process = process;
        this.questions = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        this.port = Integer.parseInt(answers.readLine());
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

    /** Processor time since this was asked last. */
    double cpuMicros() {
        double now = process.info().totalCpuDuration().orElseThrow().toNanos() / 1e3;
        double spent = now - cpuMicrosBefore;
        cpuMicrosBefore = now;
        return spent;
    }

    int port() {
        return port;
    }

    /** What it has cost so far. */
    Cost cost() throws IOException {
        questions.write("cost\n");
        questions.flush();
        String[] told = answers.readLine().split(" ", -1);
        return new Cost(Long.parseLong(told[0]), Long.parseLong(told[1]), writes());
    }

    /** As its metrics tell it. */
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
     * What a server has cost.
     *
     * @param heapBytes in use, after a collection
     * @param writes changes sent to the store
     */
    record Cost(long heapBytes, long cpuNanos, long writes) {}

    @Override
    public void close() throws IOException {
        questions.close();
        process.destroy();
    }

    /** Args: the store. Says its port; then its cost whenever it reads a line; ends with its input. */
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
