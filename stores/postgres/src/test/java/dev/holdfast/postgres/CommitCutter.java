package dev.holdfast.postgres;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Proxy in front of a server that cuts connections around their COMMIT, or another request, in one of several ways. */
public final class CommitCutter implements AutoCloseable {
    /** What happens to a commit, so that its client gets no answer. */
    public enum Cut {
        /** It goes through, with its answer. */
        NONE,
        /** The connection breaks before it reaches the server. */
        BEFORE,
        /** It never reaches the server, which does not notice either. */
        SWALLOWED,
        /** The server commits, and the connection breaks before the answer. */
        AFTER
    }

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final int serverPort;
    private final String request;
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile Cut cut = Cut.NONE;
    private volatile @Nullable Socket cutAnswersOf;

    public CommitCutter(int serverPort) throws IOException {
        this(serverPort, "COMMIT");
    }

    CommitCutter(int serverPort, String request) throws IOException {
        this.serverPort = serverPort;
        this.request = request;
        thread(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    public void cut(Cut newCut) {
        cut = newCut;
    }

    /** Returns how many connections were cut. */
    int cuts() {
        return cuts.get();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            sockets.add(client);
            thread(() -> connect(client));
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        } catch (IOException e) { // The server is down.
            client.close();
            return;
        }
        sockets.add(server);
        thread(() -> forwardAnswers(client, server));
        forwardRequests(client, server);
    }

    private void forwardRequests(Socket client, Socket server) throws IOException {
        InputStream from = client.getInputStream();
        OutputStream to = server.getOutputStream();
        byte[] bytes = new byte[65_536];
        Cut how = Cut.NONE;
        for (int length = from.read(bytes); length >= 0; length = from.read(bytes)) {
            if (how == Cut.NONE && new String(bytes, 0, length, ISO_8859_1).contains(request)) {
                how = cut;
                cuts.addAndGet(how == Cut.NONE ? 0 : 1);
            }
            if (how == Cut.BEFORE) {
                break;
            }
            if (how == Cut.AFTER) {
                cutAnswersOf = server;
            }
            if (how != Cut.SWALLOWED) {
                to.write(bytes, 0, length);
            }
        }
        client.close();
        if (how != Cut.SWALLOWED) {
            server.close();
        }
    }

    private void forwardAnswers(Socket client, Socket server) throws IOException {
        try (client;
                server) {
            InputStream from = server.getInputStream();
            OutputStream to = client.getOutputStream();
            byte[] bytes = new byte[65_536];
            for (int length = from.read(bytes); length >= 0; length = from.read(bytes)) {
                if (server.equals(cutAnswersOf)) {
                    return;
                }
                to.write(bytes, 0, length);
            }
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void thread(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // A socket was closed: the connection has ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
