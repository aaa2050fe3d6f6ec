package dev.holdfast.internal.client;

import dev.holdfast.AsyncLeases;
import dev.holdfast.HoldfastException;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.internal.BlockingCalls;
import dev.holdfast.internal.CallbackThread;
import dev.holdfast.internal.environment.CallerThreadEnvironment;
import dev.holdfast.internal.environment.SystemEnvironment;
import dev.holdfast.store.HostEnvironment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What clients share, wherever their requests are decided: a runtime, and an end in good order. */
public abstract class BlockingLeaseClient implements Leases {
    private static final Logger log = LoggerFactory.getLogger(Leases.class);

    private final HostEnvironment hostEnvironment;
    private final boolean ownsRuntime;
    private final AsyncLeaseClient async;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param ownsRuntime whether the runtime ends with the client */
    protected BlockingLeaseClient(HostEnvironment hostEnvironment, boolean ownsRuntime, AsyncLeaseClient async) {
        this.hostEnvironment = hostEnvironment;
        this.ownsRuntime = ownsRuntime;
        this.async = async;
    }

    /** The runtime that the options name, or one of the system's. */
    public static HostEnvironment runtime(LeasesOptions options) {
        return options.runtime()
                .orElseGet(() -> options.isBackground() ? new SystemEnvironment() : new CallerThreadEnvironment());
    }

    @Override
    public final AsyncLeases async() {
        return async;
    }

    @Override
    public final HostEnvironment runtime() {
        return hostEnvironment;
    }

    @Override
    public final void close() {
        CallbackThread.refuseBlocking();
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            BlockingCalls.uninterruptibly(hostEnvironment, async::releaseAll);
        } catch (HoldfastException e) {
            log.warn("not all leases were released; they end with their terms", e);
        } finally {
            endAll();
        }
    }

    private void endAll() {
        try {
            end();
        } finally {
            if (ownsRuntime) {
                hostEnvironment.close();
            }
        }
    }

    /** Frees what carries the requests; all leases have ended. */
    protected abstract void end();
}
