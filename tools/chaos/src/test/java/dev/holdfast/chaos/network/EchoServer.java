package dev.holdfast.chaos.network;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server that returns each line, and notes the lines in the order in which they arrived. */
final class EchoServer implements AutoCloseable {
    private final ServerSocket listener;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    EchoServer() throws IOException {
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::acceptAll);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Waits for the next line that arrived. */
    @Nullable
    String nextLine() throws InterruptedException {
        return lines.poll(10, TimeUnit.SECONDS);
    }

    boolean hasLine() {
        return !lines.isEmpty();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                start(() -> echo(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void echo(Socket from) {
        try (Socket socket = from;
                BufferedReader reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
                socket.getOutputStream().write((line + "\n").getBytes(UTF_8));
            }
        } catch (IOException e) {
            lines.add("reset");
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "echo");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
