package dev.holdfast.internal.client;

import dev.holdfast.AsyncLeases;
import dev.holdfast.HoldfastException;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.BlockingCalls;
import dev.holdfast.support.CallbackThread;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The common part of clients, local and remote: an environment, and an orderly close. */
public abstract class BlockingLeaseClient implements Leases {
    private static final Logger log = LoggerFactory.getLogger(Leases.class);

    private final HostEnvironment hostEnvironment;
    private final boolean ownsEnvironment;
    private final AsyncLeaseClient async;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param ownsEnvironment whether the environment is closed with the client */
    protected BlockingLeaseClient(HostEnvironment hostEnvironment, boolean ownsEnvironment, AsyncLeaseClient async) {
        this.hostEnvironment = hostEnvironment;
        this.ownsEnvironment = ownsEnvironment;
        this.async = async;
    }

    /** The environment that the options name, or the default one. */
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
            endAndClose();
        }
    }

    private void endAndClose() {
        try {
            end();
        } finally {
            if (ownsEnvironment) {
                hostEnvironment.close();
            }
        }
    }

    /** Closes the resources behind the requests. Called when all leases have ended. */
    protected abstract void end();
}
