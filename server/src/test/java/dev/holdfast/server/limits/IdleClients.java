package dev.holdfast.server.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections that send nothing, in a process of their own, because the number of open files per process is limited.
 */
record IdleClients(Process process) implements AutoCloseable {
    /** Returns when all are connected. */
    static IdleClients connect(int port, int count) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        IdleClients.class.getName(),
                        String.valueOf(port),
                        String.valueOf(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        String line = said.readLine();
        if (!"connected".equals(line)) {
            process.destroy();
            throw new IllegalStateException("the connections could not be made: " + line);
        }
        return new IdleClients(process);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Connects, prints that it has, and stays until its input ends. */
    public static void main(String[] args) throws IOException {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        List<SocketChannel> open = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            open.add(SocketChannel.open(server));
        }
        System.out.println("connected");
        while (System.in.read() >= 0) {
            // None of the connections sends anything.
        }
        System.out.println(open.size());
    }
}
