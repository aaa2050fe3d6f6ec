package dev.holdfast.server.limits;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** A connection that can send any bytes. */
public final class RawClient implements AutoCloseable {
    private final Socket socket;

    public RawClient(int port) throws IOException {
        this(port, "127.0.0.1");
    }

    /** @param from an address of the loopback interface to connect from */
    public RawClient(int port, String from) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0);
        socket.setSoTimeout(60_000);
    }

    public RawClient send(String text) throws IOException {
        return send(text.getBytes(ISO_8859_1));
    }

    public RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** Reads until the end of the first line. */
    public String line() throws IOException {
        StringBuilder line = new StringBuilder();
        InputStream in = socket.getInputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    /** Reads until the server closes the connection. */
    public String rest() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    public boolean isCut() throws IOException {
        return isCutWithin(60_000);
    }

    /** Whether the server has closed the connection, or closes it within that time. */
    public boolean isCutWithin(int millis) throws IOException {
        try {
            socket.setSoTimeout(millis);
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // The connection was reset.
        } finally {
            socket.setSoTimeout(60_000);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
