package dev.holdfast.server.limits;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** An HTTP/2 connection that can send any frames, but respects the windows that the server grants. */
final class RawHttp2 implements AutoCloseable {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int ACK = 1;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_FRAME = 16_384;

    private final Socket socket;
    private final DataOutputStream out;
    private final Map<Integer, Long> windows = new HashMap<>();
    private final Set<Integer> ended = new HashSet<>();
    private long connectionWindow = 65_535;
    private long initialWindow = 65_535;
    private int nextStream = 1;
    private boolean hasSettings;
    private boolean closed;

    /** @param from an address of the loopback interface to connect from */
    RawHttp2(int port, String from) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0);
        socket.setTcpNoDelay(true);
        out = new DataOutputStream(socket.getOutputStream());
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
        write(SETTINGS, 0, 0, new byte[0]);
        Thread reader = new Thread(this::readAll, "raw-http2");
        reader.setDaemon(true);
        reader.start();
        await(Duration.ofSeconds(60), () -> hasSettings || closed);
    }

    /** Begins a POST without ending it. */
    int post(String path, String... headers) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        literal(block, ":method", "POST");
        literal(block, ":scheme", "http");
        literal(block, ":path", path);
        literal(block, ":authority", "localhost");
        literal(block, "content-type", "application/grpc");
        for (int i = 0; i < headers.length; i += 2) {
            literal(block, headers[i], headers[i + 1]);
        }
        int stream;
        synchronized (this) {
            stream = nextStream;
            nextStream += 2;
            windows.put(stream, initialWindow);
        }
        write(HEADERS, END_HEADERS, stream, block.toByteArray());
        return stream;
    }

    /** A literal header without indexing or compression (RFC 7541, 6.2.2). */
    private static void literal(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        for (String text : new String[] {name, value}) {
            byte[] bytes = text.getBytes(ISO_8859_1);
            if (bytes.length < 127) {
                block.write(bytes.length);
            } else {
                block.write(127);
                block.write(bytes.length - 127); // Lengths up to 254 bytes are enough here.
            }
            block.writeBytes(bytes);
        }
    }

    /**
     * Sends bytes of a body as far as the windows allow within {@code timeout}.
     *
     * @return how many bytes were sent
     */
    int send(int stream, byte[] body, Duration timeout) throws IOException {
        int sent = 0;
        while (sent < body.length) {
            int size = Math.min(MAX_FRAME, body.length - sent);
            if (!take(stream, size, timeout)) {
                return sent;
            }
            write(DATA, 0, stream, java.util.Arrays.copyOfRange(body, sent, sent + size));
            sent += size;
        }
        return sent;
    }

    /** Ends the client's part of a stream. */
    void end(int stream) throws IOException {
        write(DATA, END_STREAM, stream, new byte[0]);
    }

    /** A gRPC message: a flag, the length, the bytes. */
    static byte[] message(byte[] bytes) {
        return ByteBuffer.allocate(bytes.length + 5)
                .put((byte) 0)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    private synchronized boolean take(int stream, int size, Duration timeout) {
        boolean granted = await(
                timeout,
                () -> closed
                        || ended.contains(stream)
                        || (connectionWindow >= size && windows.getOrDefault(stream, 0L) >= size));
        if (!granted || closed || ended.contains(stream)) {
            return false;
        }
        connectionWindow -= size;
        windows.merge(stream, (long) -size, Long::sum);
        return true;
    }

    /** Waits until the server has ended {@code count} streams; false on timeout. */
    boolean awaitEnded(int count, Duration timeout) {
        return await(timeout, () -> closed || ended.size() >= count);
    }

    synchronized int ended() {
        return ended.size();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean await(Duration timeout, java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            try {
                wait(Math.min(left, 1_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private void write(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
        frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
        synchronized (out) {
            out.write(frame.array());
            out.flush();
        }
    }

    private void readAll() {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(length));
                handle(type, flags, stream, payload);
            }
        } catch (IOException e) {
            synchronized (this) {
                closed = true;
                notifyAll();
            }
        }
    }

    private void handle(int type, int flags, int stream, ByteBuffer payload) throws IOException {
        if (type == SETTINGS && (flags & ACK) == 0) {
            write(SETTINGS, ACK, 0, new byte[0]);
        }
        synchronized (this) {
            if (type == RST_STREAM || ((type == DATA || type == HEADERS) && (flags & END_STREAM) != 0)) {
                ended.add(stream);
            } else if (type == WINDOW_UPDATE && stream == 0) {
                connectionWindow += payload.getInt();
            } else if (type == WINDOW_UPDATE) {
                windows.merge(stream, (long) payload.getInt(), Long::sum);
            } else if (type == SETTINGS && (flags & ACK) == 0) {
                while (payload.remaining() >= 6) {
                    int setting = payload.getShort();
                    int value = payload.getInt();
                    initialWindow = setting == INITIAL_WINDOW_SIZE ? value : initialWindow;
                }
                hasSettings = true;
            }
            notifyAll();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
