package dev.holdfast.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/** A server in its own process. It prints its port first, and ends when its input ends. */
public class BenchProcess implements AutoCloseable {
    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader responses;
    private final int port;
    private double cpuMicrosBefore;

    /** Starts the {@code main} method of a class with one argument. */
    public BenchProcess(Class<?> main, String argument) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        this.process = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), main.getName(), argument)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        this.commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
        this.responses = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        this.port = Integer.parseInt(responses.readLine());
    }

    public final int port() {
        return port;
    }

    /** The CPU time since the last call. */
    public final double cpuMicros() {
        double now = process.info().totalCpuDuration().orElseThrow().toNanos() / 1e3;
        double spent = now - cpuMicrosBefore;
        cpuMicrosBefore = now;
        return spent;
    }

    /** Sends a line, and returns the line that the process prints then. */
    final String ask(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        return responses.readLine();
    }

    @Override
    public final void close() throws IOException {
        commands.close();
        process.destroy();
    }

    /** The CPU time of this process so far. */
    static long ownCpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
