package dev.holdfast.chaos.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** Waiting for a process that starts. */
final class Readiness {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofMillis(50);

    private Readiness() {}

    /** A look at the process, which fails as long as it is not ready. */
    @FunctionalInterface
    interface ReadyCheck {
        boolean isReady() throws Exception;
    }

    /** @throws IOException if the process ends, or is not ready in time */
    static void await(String name, OwnedProcess process, ReadyCheck check) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!isReady(check)) {
            if (!process.isAlive()) {
                throw new IOException(name + " ended while it started: see its log");
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IOException(name + " is not ready after " + PATIENCE);
            }
            Thread.sleep(LOOK.toMillis());
        }
    }

    private static boolean isReady(ReadyCheck check) throws InterruptedException {
        try {
            return check.isReady();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return false;
        }
    }

    static boolean accepts(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return socket.isConnected();
        }
    }
}
