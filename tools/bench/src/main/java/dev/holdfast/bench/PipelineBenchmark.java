package dev.holdfast.bench;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A benchmark of the request pipeline: acquire and release on a store with nearly no cost of its own, with auto-renewal
 * on as by default. One operation is one cycle of both.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 3)
@State(Scope.Benchmark)
public class PipelineBenchmark {
    private static final int IN_FLIGHT = 64;
    private static final int CYCLES = 500;

    /** 0: the store runs on the callers' threads. 2: it runs on lane threads, like a store that blocks. */
    @Param({"0", "2"})
    int lanes;

    private Leases leases;

    @Setup
    public void open() {
        leases = Holdfast.open(new MemoryStore(new SystemEnvironment(), lanes, true), LeasesOptions.defaults());
    }

    @TearDown
    public void close() {
        leases.close();
    }

    /** The key of a thread; each thread has its own. */
    @State(Scope.Thread)
    public static class OwnKey {
        private final Key key = Key.of("bench", Thread.currentThread().getName());
    }

    /** Two threads, each blocking for every call. */
    @Benchmark
    @Threads(2)
    public void blocking(OwnKey own) {
        leases.tryAcquire(own.key, AcquireOptions.defaults()).orThrow().close();
    }

    /** One thread that keeps 64 cycles in flight, each on its own key. */
    @Benchmark
    @OperationsPerInvocation(IN_FLIGHT * CYCLES)
    public void inFlight() {
        List<CompletableFuture<Void>> chains = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
            CompletableFuture<Void> chain = new CompletableFuture<>();
            cycle(Key.of("bench", "key-" + i), CYCLES, chain);
            chains.add(chain);
        }
        CompletableFuture.allOf(chains.toArray(CompletableFuture[]::new)).join();
    }

    private void cycle(Key key, int left, CompletableFuture<Void> chain) {
        if (left == 0) {
            chain.complete(null);
            return;
        }
        leases.async()
                .tryAcquire(key, AcquireOptions.defaults())
                .thenCompose(result -> result.orThrow().releaseAsync())
                .whenComplete((released, error) -> {
                    if (error != null) {
                        chain.completeExceptionally(error);
                    } else {
                        cycle(key, left - 1, chain);
                    }
                });
    }
}
