package dev.holdfast.internal.client;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Relay;
import dev.holdfast.RelayingLeases;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.engine.BlockingPort;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.engine.EngineOptions;
import dev.holdfast.internal.engine.StorePort;
import dev.holdfast.internal.rules.RuleBook;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Power;
import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import dev.holdfast.spi.SelfCleaning;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@link Leases} on a store, decided in this process. */
public final class LocalLeases extends ClientLeases implements RelayingLeases, ImportingLeases {
    private final Engine engine;
    private final Lookup lookup;
    private final LocalRelay relay;
    private final LocalImport imports;
    private @Nullable Caretaker caretaker;

    private LocalLeases(Engine engine, boolean ownsRuntime, Listing listing, AsyncClient async) {
        super(engine.runtime(), ownsRuntime, async);
        this.engine = engine;
        this.lookup = listing;
        this.relay = new LocalRelay(engine, async.grants(), listing);
        this.imports = new LocalImport(engine, async.grants(), listing.survey());
    }

    /** Opens a client whose runtime also serves the store that {@code store} opens with it. */
    public static LocalLeases open(Function<Runtime, LeaseStore> store, LeasesOptions options) {
        Runtime runtime = runtime(options);
        LeaseStore opened;
        try {
            opened = store.apply(runtime);
        } catch (RuntimeException | Error e) {
            if (options.runtime().isEmpty()) {
                runtime.close();
            }
            throw e;
        }
        StorePort port = options.isBackground()
                ? BlockingPort.threaded(opened, options.operationTimeout().plus(options.settleTimeout()))
                : BlockingPort.inline(opened);
        RuleBook book = RuleBook.of(opened.traits());
        LocalLeases leases = over(port, runtime, options.runtime().isEmpty(), book, options);
        if (options.isBackground() && book.abilities().has(Power.CLEAN_UP)) {
            (opened instanceof SelfCleaning ? options.extraCleanUp() : options.cleanUp())
                    .ifPresent(what -> leases.cleanUpInBackground(what, options.holder()));
        }
        return leases;
    }

    /** For the simulator: a client on a port and rules of its choice. */
    public static LocalLeases over(StorePort port, Runtime runtime, RuleBook book, LeasesOptions options) {
        return over(port, runtime, false, book, options);
    }

    private static LocalLeases over(
            StorePort port, Runtime runtime, boolean ownsRuntime, RuleBook book, LeasesOptions options) {
        EngineOptions bounds = new EngineOptions(
                options.operationTimeout(),
                options.settleTimeout(),
                options.queueLimit(),
                options.cacheSize(),
                GuardedListener.of(options.listener()));
        Engine engine = new Engine(port, runtime, book, bounds);
        Listing listing = new Listing(engine, options.operationTimeout());
        return new LocalLeases(engine, ownsRuntime, listing, new AsyncClient(engine, listing, options));
    }

    /** From now on, cleans up now and then. */
    private void cleanUpInBackground(CleanUpOptions what, Holder self) {
        caretaker = new Caretaker(engine, self, () -> lookup.cleanUp(what));
    }

    @Override
    public Relay relay() {
        return relay;
    }

    @Override
    public ImportTarget importTarget() {
        Dialect dialect = engine.port().traits().dialect();
        if (!dialect.equals(Dialect.NATIVE)) {
            throw Check.bad("store", "layout " + dialect.name(), "a store in Holdfast's own layout");
        }
        return imports;
    }

    @Override
    protected void end() {
        if (caretaker != null) {
            caretaker.stop();
        }
        try {
            engine.close();
        } finally {
            engine.port().close();
        }
    }
}
