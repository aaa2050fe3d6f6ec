package dev.holdfast.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.dynamodb.DynamoStoreProvider;
import dev.holdfast.dynamodb.NativeTableStore;
import dev.holdfast.environment.SystemEnvironment;
import java.time.Duration;

/** Holdfast with its default options. */
final class HoldfastContender implements Contender {
    private final SystemEnvironment runtime = new SystemEnvironment();
    private final String url;
    private final Duration term;
    private final NativeTableStore store;
    private final Leases leases;

    HoldfastContender(BenchDynamo dynamo, Duration term) {
        this.url = "dynamodb://holdfast?region=us-east-1&timeout=60s&endpoint=" + dynamo.endpoint();
        this.term = term;
        DynamoStoreProvider provider = new DynamoStoreProvider();
        provider.init(url, progress -> {});
        this.store = (NativeTableStore) provider.open(url, runtime);
        this.leases = Holdfast.open(
                store, LeasesOptions.builder().environment(runtime).build());
    }

    @Override
    public String name() {
        return "holdfast";
    }

    private AcquireOptions options() {
        return AcquireOptions.defaults().term(term);
    }

    @Override
    public void cycle(String lock) {
        leases.tryAcquire(Key.of(lock), options()).orThrow().release();
    }

    @Override
    public Duration takeOver(String lock) throws InterruptedException {
        try (Leases dead =
                Holdfast.open(url, LeasesOptions.builder().withoutThreads().build())) {
            dead.tryAcquire(Key.of(lock), options().autoRenew(false)).orThrow().detach();
        }
        long startNanos = System.nanoTime();
        leases.acquire(Key.of(lock), options(), Duration.ofMinutes(1)).orThrow();
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    @Override
    public long requests() {
        return store.requests().total();
    }

    @Override
    public void close() {
        leases.close();
        runtime.close();
    }
}
