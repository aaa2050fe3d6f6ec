package dev.holdfast.client;

import dev.holdfast.LeaseListener;
import dev.holdfast.LeasesOptions;
import dev.holdfast.client.link.ServerLinks;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ClientClosedException;
import dev.holdfast.support.GuardedListener;
import java.time.Duration;
import java.util.function.Consumer;

/** The state that all calls of one client share. Thread-safe. */
final class RemoteContext {
    /** The number of attempts that fit in the operation timeout: for three servers, or for one server that returns. */
    private static final int ATTEMPTS_PER_TIMEOUT = 3;

    private final ServerLinks serverLinks;
    private final HostEnvironment hostEnvironment;
    private final LeaseListener listener;
    private final Duration operationTimeout;
    private final Duration settleTimeout;
    private final OpenCalls calls = new OpenCalls();
    private volatile boolean closed;

    RemoteContext(ServerLinks serverLinks, HostEnvironment hostEnvironment, LeasesOptions options) {
        this.serverLinks = serverLinks;
        this.hostEnvironment = hostEnvironment;
        this.listener = GuardedListener.of(options.listener());
        this.operationTimeout = options.operationTimeout();
        this.settleTimeout = options.settleTimeout();
    }

    /** Returns the number of calls in progress. */
    int inProgress() {
        return calls.count();
    }

    ServerLinks links() {
        return serverLinks;
    }

    HostEnvironment runtime() {
        return hostEnvironment;
    }

    LeaseListener listener() {
        return listener;
    }

    ClockReading reading() {
        return new ClockReading(hostEnvironment.nanos(), hostEnvironment.now());
    }

    Duration operationTimeout() {
        return operationTimeout;
    }

    /** Returns how long one server may take to respond to a request that does not wait. */
    Duration attemptTimeout() {
        return operationTimeout.dividedBy(ATTEMPTS_PER_TIMEOUT);
    }

    long operationDeadline() {
        return hostEnvironment.nanos() + operationTimeout.toNanos();
    }

    long settleDeadline() {
        return hostEnvironment.nanos() + settleTimeout.toNanos();
    }

    /**
     * Registers {@code fail} to be called when the client is closed, or at once if it already is.
     *
     * @return removes the registration
     */
    Runnable onClose(Consumer<RuntimeException> fail) {
        Runnable unregister = calls.add(fail);
        if (closed) {
            calls.failAll(ClientClosedException.underWay());
        }
        return unregister;
    }

    /** Fails all calls in progress, and all later ones. */
    void close() {
        closed = true;
        calls.failAll(ClientClosedException.underWay());
    }
}
