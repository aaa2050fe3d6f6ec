package dev.holdfast.client.link;

import dev.holdfast.LeaseListener;
import dev.holdfast.LeasesOptions;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ClientClosedException;
import dev.holdfast.support.GuardedListener;
import java.time.Duration;
import java.util.function.Consumer;

/** The state that all calls of one client share. Thread-safe. */
public final class RemoteContext implements AutoCloseable {
    /** The number of attempts that fit in the operation timeout: for three servers, or for one server that returns. */
    private static final int ATTEMPTS_PER_TIMEOUT = 3;

    private final ServerLinks links;
    private final HostEnvironment environment;
    private final LeaseListener listener;
    private final Duration operationTimeout;
    private final CallsInProgress calls = new CallsInProgress();
    private volatile boolean closed;

    public RemoteContext(ServerLinks links, HostEnvironment environment, LeasesOptions options) {
        this.links = links;
        this.environment = environment;
        this.listener = GuardedListener.of(options.listener());
        this.operationTimeout = options.operationTimeout();
    }

    /** Returns the number of calls in progress. */
    public int inProgress() {
        return calls.count();
    }

    public ServerLinks links() {
        return links;
    }

    public HostEnvironment environment() {
        return environment;
    }

    public LeaseListener listener() {
        return listener;
    }

    public long nanos() {
        return environment.nanos();
    }

    ClockReading reading() {
        return new ClockReading(environment.nanos(), environment.now());
    }

    public Duration operationTimeout() {
        return operationTimeout;
    }

    /** Returns how long one server may take to respond to a request that does not wait. */
    public Duration attemptTimeout() {
        return operationTimeout.dividedBy(ATTEMPTS_PER_TIMEOUT);
    }

    public long operationDeadline() {
        return environment.nanos() + operationTimeout.toNanos();
    }

    /**
     * Registers {@code fail} to be called when the client is closed, or at once if it already is.
     *
     * @return removes the registration
     */
    public Runnable onClose(Consumer<RuntimeException> fail) {
        Runnable unregister = calls.add(fail);
        if (closed) {
            calls.failAll(ClientClosedException.underWay());
        }
        return unregister;
    }

    /** Fails all calls in progress, and all later ones, and closes the links. */
    @Override
    public void close() {
        closed = true;
        try {
            calls.failAll(ClientClosedException.underWay());
        } finally {
            links.close();
        }
    }
}
