package dev.holdfast.cli.bench;

import dev.holdfast.Leases;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * Load test with a number of callers, each of which repeats a cycle until the time is over. Callers are chains of
 * asynchronous calls, not threads, so that the test measures the store and not thread switches.
 */
public final class LoadTest {
    private static final Duration TICK = Duration.ofMillis(250);

    private final Leases leases;
    private final HostEnvironment hostEnvironment;
    private final LoadStep loadStep;
    private final String namespace;
    private final LatencyHistogram latencyHistogram = new LatencyHistogram();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final AtomicInteger running = new AtomicInteger();

    public LoadTest(Leases leases, LoadStep loadStep, String namespace) {
        this.leases = leases;
        this.hostEnvironment = LeaseService.of(leases).environment();
        this.loadStep = loadStep;
        this.namespace = namespace;
    }

    /** The measurements. */
    public record Result(long cycles, double cyclesPerSecond, long p50Micros, long p99Micros) {}

    /** @param progress receives the number of completed cycles a few times per second */
    public Result run(int callers, Duration time, LongConsumer progress) throws InterruptedException {
        long start = hostEnvironment.nanos();
        long deadline = start + time.toNanos();
        running.set(callers);
        for (int i = 0; i < callers; i++) {
            next(i, 0, deadline);
        }
        tick(progress);
        hostEnvironment.await(over);
        try {
            over.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
        double seconds = (hostEnvironment.nanos() - start) / 1e9;
        long cycles = latencyHistogram.count();
        return new Result(cycles, cycles / seconds, latencyHistogram.micros(0.5), latencyHistogram.micros(0.99));
    }

    private void tick(LongConsumer progress) {
        if (!over.isDone()) {
            progress.accept(latencyHistogram.count());
            hostEnvironment.schedule(TICK, () -> tick(progress));
        }
    }

    private void next(int caller, long round, long deadline) {
        long began = hostEnvironment.nanos();
        if (began - deadline >= 0) {
            if (running.decrementAndGet() == 0) {
                over.complete(null);
            }
            return;
        }
        loadStep.cycle(leases.async(), namespace, caller, round).whenComplete((done, error) -> {
            if (error != null) {
                over.completeExceptionally(error instanceof CompletionException ? error.getCause() : error);
            } else {
                latencyHistogram.record(hostEnvironment.nanos() - began);
                next(caller, round + 1, deadline);
            }
        });
    }
}
