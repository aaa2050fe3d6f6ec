package dev.holdfast.cli.bench;

import dev.holdfast.Leases;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * Callers that each do one cycle after the other for a while. They are chains of asynchronous calls, not threads, so that
 * what is measured is the store and not the switching between threads.
 */
public final class LoadTest {
    private static final Duration TICK = Duration.ofMillis(250);

    private final Leases leases;
    private final Runtime runtime;
    private final Load load;
    private final String namespace;
    private final Latencies latencies = new Latencies();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final AtomicInteger running = new AtomicInteger();

    public LoadTest(Leases leases, Load load, String namespace) {
        this.leases = leases;
        this.runtime = leases.runtime();
        this.load = load;
        this.namespace = namespace;
    }

    /** What was measured. */
    public record Result(long cycles, double cyclesPerSecond, long p50Micros, long p99Micros) {}

    /** @param progress hears how many cycles there were so far, a few times per second */
    public Result run(int callers, Duration time, LongConsumer progress) throws InterruptedException {
        long start = runtime.nanos();
        long deadline = start + time.toNanos();
        running.set(callers);
        for (int i = 0; i < callers; i++) {
            next(i, 0, deadline);
        }
        tick(progress);
        runtime.await(over);
        try {
            over.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
        double seconds = (runtime.nanos() - start) / 1e9;
        long cycles = latencies.count();
        return new Result(cycles, cycles / seconds, latencies.micros(0.5), latencies.micros(0.99));
    }

    private void tick(LongConsumer progress) {
        if (!over.isDone()) {
            progress.accept(latencies.count());
            runtime.schedule(TICK, () -> tick(progress));
        }
    }

    private void next(int caller, long round, long deadline) {
        long began = runtime.nanos();
        if (began - deadline >= 0) {
            if (running.decrementAndGet() == 0) {
                over.complete(null);
            }
            return;
        }
        load.cycle(leases.async(), namespace, caller, round).whenComplete((done, error) -> {
            if (error != null) {
                over.completeExceptionally(error instanceof CompletionException ? error.getCause() : error);
            } else {
                latencies.record(runtime.nanos() - began);
                next(caller, round + 1, deadline);
            }
        });
    }
}
