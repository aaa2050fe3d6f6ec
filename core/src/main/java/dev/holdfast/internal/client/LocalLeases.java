package dev.holdfast.internal.client;

import dev.holdfast.AsyncLeases;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Relay;
import dev.holdfast.RelayingLeases;
import dev.holdfast.internal.Await;
import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.engine.BlockingPort;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.engine.EngineOptions;
import dev.holdfast.internal.engine.StorePort;
import dev.holdfast.internal.rules.RuleBook;
import dev.holdfast.internal.runtime.CallerRuntime;
import dev.holdfast.internal.runtime.SystemRuntime;
import dev.holdfast.model.HoldfastException;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Leases} on a store, decided in this process. */
public final class LocalLeases implements RelayingLeases {
    private static final Logger log = LoggerFactory.getLogger(Leases.class);

    private final Runtime runtime;
    private final boolean ownsRuntime;
    private final StorePort port;
    private final LocalAsyncLeases async;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LocalLeases(Runtime runtime, boolean ownsRuntime, StorePort port, RuleBook book, LeasesOptions options) {
        this.runtime = runtime;
        this.ownsRuntime = ownsRuntime;
        this.port = port;
        EngineOptions bounds = new EngineOptions(
                options.operationTimeout(),
                options.settleTimeout(),
                options.queueLimit(),
                options.cacheSize(),
                GuardedListener.of(options.listener()));
        Engine engine = new Engine(port, runtime, book, bounds);
        this.async = new LocalAsyncLeases(engine, options);
    }

    /** Opens a client whose runtime also serves the store that {@code store} opens with it. */
    public static LocalLeases open(Function<Runtime, LeaseStore> store, LeasesOptions options) {
        Runtime runtime = options.runtime().orElseGet(() -> systemRuntime(options));
        boolean ownsRuntime = options.runtime().isEmpty();
        LeaseStore opened;
        try {
            opened = store.apply(runtime);
        } catch (RuntimeException e) {
            if (ownsRuntime) {
                runtime.close();
            }
            throw e;
        }
        StorePort port = options.isBackground() ? BlockingPort.threaded(opened) : BlockingPort.inline(opened);
        RuleBook book = RuleBook.of(opened.traits().step());
        LocalLeases leases = new LocalLeases(runtime, ownsRuntime, port, book, options);
        if (options.isBackground()) {
            options.cleanUp().ifPresent(leases.async::cleanUpInBackground);
        }
        return leases;
    }

    /** For the simulator: a client on a port and rules of its choice. */
    public static LocalLeases over(StorePort port, Runtime runtime, RuleBook book, LeasesOptions options) {
        return new LocalLeases(runtime, false, port, book, options);
    }

    private static Runtime systemRuntime(LeasesOptions options) {
        return options.isBackground() ? new SystemRuntime() : new CallerRuntime();
    }

    @Override
    public AsyncLeases async() {
        return async;
    }

    @Override
    public Relay relay() {
        return async.relay();
    }

    @Override
    public Runtime runtime() {
        return runtime;
    }

    @Override
    public void close() {
        Delivery.refuseBlocking();
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            Await.uninterruptibly(runtime, async::releaseAll);
        } catch (HoldfastException e) {
            log.warn("not all leases were released; they end with their terms", e);
        }
        async.close();
        port.close();
        if (ownsRuntime) {
            runtime.close();
        }
    }
}
