package dev.holdfast.bench.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server program that runs until it is closed, with its files in a folder of its own. */
final class ServerProgram implements AutoCloseable {
    private static final int START_SECONDS = 60;

    private final Process process;

    private ServerProgram(Process process) {
        this.process = process;
    }

    /** Starts the program and waits until it accepts connections. */
    static ServerProgram start(Path folder, int port, List<String> command) throws IOException, InterruptedException {
        Path log = folder.resolve("server.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ServerProgram program = new ServerProgram(process);
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!accepts(port)) {
            if (!process.isAlive() || System.nanoTime() - untilNanos > 0) {
                program.close();
                throw new IOException(command.get(0) + " did not start:\n" + Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return program;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    List<ProcessHandle> processes() {
        return List.of(process.toHandle());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
