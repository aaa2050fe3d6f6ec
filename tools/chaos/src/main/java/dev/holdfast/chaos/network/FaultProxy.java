package dev.holdfast.chaos.network;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy between one client and one server on the loopback address. Without a fault it passes all bytes on. Faults may
 * overlap, and each is healed by itself.
 */
public final class FaultProxy implements AutoCloseable {
    /** Far more connections than one client opens. Each has two threads. */
    private static final int MOST_LINKS = 200;

    private static final int BACKLOG = 50;
    private static final int BIND_ATTEMPTS = 250;
    private static final Duration BIND_PAUSE = Duration.ofMillis(20);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private final int port;
    private final int serverPort;
    private final LinkConditions conditions = new LinkConditions();
    private final Map<Long, ProxyLink> links = new ConcurrentHashMap<>();
    private @Nullable ServerSocket listener;
    private long newestLink;
    private boolean closed;

    private FaultProxy(int port, int serverPort) {
        this.port = port;
        this.serverPort = serverPort;
    }

    /** Starts a proxy in front of a server, which need not run yet. */
    public static FaultProxy to(int serverPort) throws IOException, InterruptedException {
        FaultProxy proxy = new FaultProxy(LoopbackPorts.next(), serverPort);
        proxy.listen();
        return proxy;
    }

    /** The port that the client connects to. */
    public int port() {
        return port;
    }

    /** Cuts all open links with a reset. New connections are accepted. */
    public void cut() {
        links.values().forEach(ProxyLink::cut);
    }

    public void strike(LinkFault fault) throws IOException {
        synchronized (this) {
            conditions.add(fault, newestLink);
            if (fault instanceof LinkFault.Refused) {
                stopListening();
            }
        }
        if (fault instanceof LinkFault.Refused) {
            cut();
        }
    }

    /** Ends this very fault, which need not be active. */
    public void heal(LinkFault fault) throws IOException, InterruptedException {
        conditions.remove(fault);
        if (fault instanceof LinkFault.Swallowed) {
            links.values().stream().filter(ProxyLink::hasLostBytes).forEach(ProxyLink::cut);
        }
        listen();
    }

    private synchronized void listen() throws IOException, InterruptedException {
        if (listener != null || closed || conditions.refuses()) {
            return;
        }
        ServerSocket opened = bind();
        listener = opened;
        Thread thread = new Thread(() -> acceptAll(opened), "chaos-proxy-" + port);
        thread.setDaemon(true);
        thread.start();
    }

    /** Binds the port again. The system releases it a moment after the thread that accepted connections was woken. */
    private ServerSocket bind() throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            ServerSocket socket = new ServerSocket();
            try {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
                return socket;
            } catch (BindException e) {
                socket.close();
                if (attempt == BIND_ATTEMPTS) {
                    throw e;
                }
                Thread.sleep(BIND_PAUSE.toMillis());
            }
        }
    }

    private synchronized void stopListening() throws IOException {
        if (listener != null) {
            listener.close();
            listener = null;
        }
    }

    private void acceptAll(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                connect(from.accept());
            } catch (IOException e) {
                // The listener was closed, or the client has given up. The condition of the loop tells which.
            }
        }
    }

    /** Connects at once, so that the server sees a connection that the client never uses. */
    private void connect(Socket client) {
        Socket server = new Socket();
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort), (int)
                    CONNECT_TIMEOUT.toMillis());
        } catch (IOException e) {
            ProxyLink.reset(client);
            ProxyLink.reset(server);
            return;
        }
        open(client, server);
    }

    private synchronized void open(Socket client, Socket server) {
        if (closed || conditions.refuses() || links.size() >= MOST_LINKS) {
            ProxyLink.reset(client);
            ProxyLink.reset(server);
            return;
        }
        long number = ++newestLink;
        ProxyLink link = new ProxyLink(number, client, server, conditions, () -> links.remove(number));
        links.put(number, link);
        link.start();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            try {
                stopListening();
            } catch (IOException e) {
                // Nothing is left to close.
            }
        }
        cut();
    }
}
