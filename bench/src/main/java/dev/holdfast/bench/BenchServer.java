package dev.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.LeaseListener;
import dev.holdfast.LeasesOptions;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.accord.AccordWire;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** A server in a process of its own, as in production, that can be asked what it costs. */
final class BenchServer implements AutoCloseable {
    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;
    private final int port;

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

    int port() {
        return port;
    }

    /** What it has cost so far. */
    Cost cost() throws IOException {
        questions.write("cost\n");
        questions.flush();
        String[] told = answers.readLine().split(" ", -1);
        return new Cost(Long.parseLong(told[0]), Long.parseLong(told[1]), Long.parseLong(told[2]));
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
        LongAdder writes = new LongAdder();
        LeasesOptions options = LeasesOptions.builder()
                .listener(new LeaseListener() {
                    @Override
                    public void onBatch(int changes, long nanos) {
                        writes.add(changes);
                    }
                })
                .build();
        HoldfastServer server = HoldfastServer.builder()
                .store(args[0])
                .options(options)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .drain(Duration.ofSeconds(1))
                .with(new AccordWire())
                .build();
        server.start();
        System.out.println(server.address().getPort());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.gc();
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            System.out.println(heap + " " + cpuNanos() + " " + writes.sum());
        }
        server.close();
        System.exit(0);
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
