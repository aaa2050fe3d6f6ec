package dev.holdfast.internal.client;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Holder;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.Relay;
import dev.holdfast.RelayingLeases;
import dev.holdfast.StoreFeature;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.internal.pipeline.BlockingStoreAdapter;
import dev.holdfast.internal.pipeline.PipelineOptions;
import dev.holdfast.internal.pipeline.RequestPipeline;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.service.StatusLookup;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.SelfCleaningStore;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.GuardedListener;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@link Leases} on a store, decided in this process. */
public final class LocalLeases extends BlockingLeaseClient implements RelayingLeases, ImportingLeases {
    private final AsyncStore store;
    private final RequestPipeline requestPipeline;
    private final StatusLookup statusLookup;
    private final LocalRelay relay;
    private final LocalImport imports;
    private @Nullable CleanUpSchedule cleanUpSchedule;

    private LocalLeases(
            AsyncStore store,
            RequestPipeline requestPipeline,
            boolean ownsEnvironment,
            StatusListing statusListing,
            AsyncLeaseClient async) {
        super(requestPipeline.environment(), ownsEnvironment, async);
        this.store = store;
        this.requestPipeline = requestPipeline;
        this.statusLookup = statusListing;
        this.relay = new LocalRelay(requestPipeline, async.heldLeases(), statusListing);
        this.imports = new LocalImport(requestPipeline, async.heldLeases(), statusListing.statusReader());
    }

    /** Opens a client, and with its environment the store. */
    public static LocalLeases open(Function<HostEnvironment, LeaseStore> store, LeasesOptions options) {
        HostEnvironment hostEnvironment = runtime(options);
        LeaseStore opened;
        try {
            opened = store.apply(hostEnvironment);
        } catch (RuntimeException | Error e) {
            if (options.runtime().isEmpty()) {
                hostEnvironment.close();
            }
            throw e;
        }
        AsyncStore port = options.isBackground()
                ? BlockingStoreAdapter.threaded(
                        opened, options.operationTimeout().plus(options.settleTimeout()))
                : BlockingStoreAdapter.inline(opened);
        RuleSet rules = RuleSet.of(opened.traits());
        LocalLeases leases = over(port, hostEnvironment, options.runtime().isEmpty(), rules, options);
        if (options.isBackground() && rules.features().has(StoreFeature.CLEAN_UP)) {
            (opened instanceof SelfCleaningStore ? options.extraCleanUp() : options.cleanUp())
                    .ifPresent(cleanUp -> leases.cleanUpInBackground(cleanUp, options.holder()));
        }
        return leases;
    }

    /** For the simulator: a client on a given asynchronous store, with given rules. */
    public static LocalLeases over(
            AsyncStore port, HostEnvironment hostEnvironment, RuleSet rules, LeasesOptions options) {
        return over(port, hostEnvironment, false, rules, options);
    }

    private static LocalLeases over(
            AsyncStore port,
            HostEnvironment hostEnvironment,
            boolean ownsEnvironment,
            RuleSet rules,
            LeasesOptions options) {
        PipelineOptions bounds = new PipelineOptions(
                options.operationTimeout(),
                options.settleTimeout(),
                options.queueLimit(),
                options.cacheSize(),
                GuardedListener.of(options.listener()));
        RequestPipeline requestPipeline = new RequestPipeline(port, hostEnvironment, rules, bounds);
        StatusListing statusListing = new StatusListing(requestPipeline);
        return new LocalLeases(
                port,
                requestPipeline,
                ownsEnvironment,
                statusListing,
                new AsyncLeaseClient(requestPipeline, statusListing, options));
    }

    /** Starts the periodic clean-up. */
    private void cleanUpInBackground(CleanUpOptions cleanUp, Holder self) {
        cleanUpSchedule = new CleanUpSchedule(requestPipeline, self, () -> statusLookup.cleanUp(cleanUp));
    }

    @Override
    public Relay relay() {
        return relay;
    }

    @Override
    public ImportTarget importTarget() {
        StoreDialect storeDialect = store.traits().dialect();
        if (!storeDialect.equals(StoreDialect.NATIVE)) {
            throw ArgumentCheck.bad("store", "layout " + storeDialect.name(), "a store in Holdfast's own layout");
        }
        return imports;
    }

    @Override
    protected void end() {
        if (cleanUpSchedule != null) {
            cleanUpSchedule.stop();
        }
        try {
            requestPipeline.close();
        } finally {
            store.close();
        }
    }
}
