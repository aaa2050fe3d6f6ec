package dev.holdfast.client;

import dev.holdfast.LeaseListener;
import dev.holdfast.LeasesOptions;
import dev.holdfast.client.link.Links;
import dev.holdfast.internal.client.GuardedListener;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.util.function.Consumer;

/** What all calls of one client share. Thread-safe. */
final class Remote {
    /** Of the time that a request has: so that three servers can be asked, or one that came back. */
    private static final int ATTEMPTS = 3;

    private final Links links;
    private final Runtime runtime;
    private final LeaseListener listener;
    private final Duration operationTimeout;
    private final Duration settleTimeout;
    private final UnderWay calls = new UnderWay();
    private volatile boolean closed;

    Remote(Links links, Runtime runtime, LeasesOptions options) {
        this.links = links;
        this.runtime = runtime;
        this.listener = GuardedListener.of(options.listener());
        this.operationTimeout = options.operationTimeout();
        this.settleTimeout = options.settleTimeout();
    }

    /** How many calls are under way. */
    int underWay() {
        return calls.count();
    }

    Links links() {
        return links;
    }

    Runtime runtime() {
        return runtime;
    }

    LeaseListener listener() {
        return listener;
    }

    Moment moment() {
        return new Moment(runtime.nanos(), runtime.now());
    }

    Duration operationTimeout() {
        return operationTimeout;
    }

    /** How long one server may take to answer what it can answer at once. */
    Duration patience() {
        return operationTimeout.dividedBy(ATTEMPTS);
    }

    long usualDeadline() {
        return runtime.nanos() + operationTimeout.toNanos();
    }

    long settleDeadline() {
        return runtime.nanos() + settleTimeout.toNanos();
    }

    /**
     * Has {@code fail} called when the client is closed, or at once if it is.
     *
     * @return ends that
     */
    Runnable onClose(Consumer<RuntimeException> fail) {
        Runnable forget = calls.add(fail);
        if (closed) {
            calls.failAll(Engine.closedAlready());
        }
        return forget;
    }

    /** Fails what is under way, and all that comes later. */
    void close() {
        closed = true;
        calls.failAll(Engine.closedAlready());
    }
}
