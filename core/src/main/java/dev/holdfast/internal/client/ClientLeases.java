package dev.holdfast.internal.client;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.internal.Await;
import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.runtime.CallerRuntime;
import dev.holdfast.internal.runtime.SystemRuntime;
import dev.holdfast.model.HoldfastException;
import dev.holdfast.spi.Runtime;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What clients share, wherever their requests are decided: a runtime, and an end in good order. */
public abstract class ClientLeases implements Leases {
    private static final Logger log = LoggerFactory.getLogger(Leases.class);

    private final Runtime runtime;
    private final boolean ownsRuntime;
    private final AsyncClient async;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param ownsRuntime whether the runtime ends with the client */
    protected ClientLeases(Runtime runtime, boolean ownsRuntime, AsyncClient async) {
        this.runtime = runtime;
        this.ownsRuntime = ownsRuntime;
        this.async = async;
    }

    /** The runtime that the options name, or one of the system's. */
    public static Runtime runtime(LeasesOptions options) {
        return options.runtime().orElseGet(() -> options.isBackground() ? new SystemRuntime() : new CallerRuntime());
    }

    @Override
    public final AsyncLeases async() {
        return async;
    }

    @Override
    public final Runtime runtime() {
        return runtime;
    }

    @Override
    public final void close() {
        Delivery.refuseBlocking();
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            Await.uninterruptibly(runtime, async::releaseAll);
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
                runtime.close();
            }
        }
    }

    /** Frees what carries the requests; all leases have ended. */
    protected abstract void end();
}
