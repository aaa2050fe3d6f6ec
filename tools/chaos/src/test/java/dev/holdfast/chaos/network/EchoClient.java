package dev.holdfast.chaos.network;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/** A connection that sends lines and reads them back. */
final class EchoClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int GLIMPSE_MILLIS = 200;

    private final Socket socket;
    private final BufferedReader reader;

    EchoClient(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        this.reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    void send(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(UTF_8));
    }

    @Nullable
    String read() throws IOException {
        return reader.readLine();
    }

    @Nullable
    String echo(String line) throws IOException {
        send(line);
        return read();
    }

    /** Whether the connection is open and nothing arrives for a moment. */
    boolean isSilent() throws IOException {
        socket.setSoTimeout(GLIMPSE_MILLIS);
        try {
            reader.readLine();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            socket.setSoTimeout(PATIENCE_MILLIS);
        }
    }

    /** Whether the connection ends, by a reset or in an orderly way. */
    boolean ends() {
        try {
            return reader.readLine() == null;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
