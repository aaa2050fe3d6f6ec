package dev.holdfast.embedded;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Holder;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreFeature;
import dev.holdfast.environment.BlockingStoreAdapter;
import dev.holdfast.importing.ImportTarget;
import dev.holdfast.importing.ImportingLeases;
import dev.holdfast.internal.pipeline.PipelineOptions;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.GuardedListener;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@link Leases} on a store, decided in this process. */
public final class LocalLeases extends ServiceLeases implements ImportingLeases {
    private final AsyncStore store;
    private final StoreLeaseService service;
    private @Nullable CleanUpSchedule cleanUpSchedule;

    private LocalLeases(AsyncStore store, StoreLeaseService service, LeasesOptions options) {
        super(service, options);
        this.store = store;
        this.service = service;
    }

    /** Opens a client, and with its environment the store. */
    public static LocalLeases open(Function<HostEnvironment, LeaseStore> store, LeasesOptions options) {
        HostEnvironment hostEnvironment = environment(options);
        LeaseStore opened;
        try {
            opened = store.apply(hostEnvironment);
        } catch (RuntimeException | Error e) {
            if (options.environment().isEmpty()) {
                hostEnvironment.close();
            }
            throw e;
        }
        AsyncStore port = options.isBackground()
                ? BlockingStoreAdapter.threaded(
                        opened, options.operationTimeout().plus(options.settleTimeout()))
                : BlockingStoreAdapter.inline(opened);
        RuleSet rules = RuleSet.of(
                opened.traits(), options.history().orElse(opened.traits().history()));
        LocalLeases leases = over(port, hostEnvironment, rules, options);
        if (options.isBackground() && rules.features().has(StoreFeature.CLEAN_UP)) {
            (opened.cleansItself() ? options.extraCleanUp() : options.cleanUp())
                    .ifPresent(cleanUp -> leases.cleanUpInBackground(cleanUp, options.holder()));
        }
        return leases;
    }

    /** For the simulator: a client on a given asynchronous store, with given rules. */
    public static LocalLeases over(
            AsyncStore port, HostEnvironment hostEnvironment, RuleSet rules, LeasesOptions options) {
        PipelineOptions bounds = new PipelineOptions(
                options.operationTimeout(),
                options.settleTimeout(),
                options.queueLimit(),
                options.cacheSize(),
                GuardedListener.of(options.listener()));
        return new LocalLeases(port, new StoreLeaseService(port, hostEnvironment, rules, bounds), options);
    }

    /** Starts the periodic clean-up. */
    private void cleanUpInBackground(CleanUpOptions cleanUp, Holder self) {
        cleanUpSchedule =
                new CleanUpSchedule(service, self, () -> service.statuses().cleanUp(cleanUp));
    }

    @Override
    public ImportTarget importTarget() {
        StoreDialect storeDialect = store.traits().dialect();
        if (!storeDialect.equals(StoreDialect.NATIVE)) {
            throw ArgumentCheck.bad("store", "layout " + storeDialect.name(), "a store in Holdfast's own layout");
        }
        return service.imports();
    }

    @Override
    protected void end() {
        if (cleanUpSchedule != null) {
            cleanUpSchedule.stop();
        }
        try {
            service.close();
        } finally {
            store.close();
        }
    }
}
