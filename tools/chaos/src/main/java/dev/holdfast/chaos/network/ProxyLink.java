package dev.holdfast.chaos.network;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One connection through a proxy: the socket of the client, the socket to the server, and a thread for each direction. */
final class ProxyLink {
    /** How often a link that is held back looks whether it may pass. */
    private static final Duration LOOK = Duration.ofMillis(5);

    private final long number;
    private final Socket client;
    private final Socket server;
    private final LinkConditions conditions;
    private final Runnable onClosed;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger flowing = new AtomicInteger(FlowDirection.values().length);
    private volatile boolean lostBytes;

    ProxyLink(long number, Socket client, Socket server, LinkConditions conditions, Runnable onClosed) {
        this.number = number;
        this.client = client;
        this.server = server;
        this.conditions = conditions;
        this.onClosed = onClosed;
    }

    void start() {
        start(new LinkPump(this, FlowDirection.TO_SERVER, client, server, conditions));
        start(new LinkPump(this, FlowDirection.TO_CLIENT, server, client, conditions));
    }

    private void start(LinkPump pump) {
        Thread thread = new Thread(pump, "chaos-link-" + number);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits while the link is held back. */
    void awaitPassage() throws InterruptedException {
        while (conditions.holds(number) && !pause(LOOK)) {
            // The pause is the work.
        }
    }

    /** Waits, but not longer than the link is open. Returns whether it is closed. */
    boolean pause(Duration time) throws InterruptedException {
        return closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    void awaitClosed() throws InterruptedException {
        closed.await();
    }

    void noteLostBytes() {
        lostBytes = true;
    }

    boolean hasLostBytes() {
        return lostBytes;
    }

    /** Called by a direction that has passed the end of its stream. */
    void flowEnded() {
        if (flowing.decrementAndGet() == 0) {
            cut();
        }
    }

    /** Closes both sockets with a reset, as a router does that has forgotten a connection. */
    void cut() {
        reset(client);
        reset(server);
        closed.countDown();
        onClosed.run();
    }

    static void reset(Socket socket) {
        try {
            if (!socket.isOutputShutdown()) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
        } catch (IOException e) {
            // Closed already: that is all that a reset wants.
        }
    }
}
