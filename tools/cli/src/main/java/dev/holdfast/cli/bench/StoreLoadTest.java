package dev.holdfast.cli.bench;

import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Load test with a number of callers, each of which repeats a cycle until the time is over. Callers are chains of
 * asynchronous calls, not threads, so that the test measures the store and not thread switches.
 */
final class StoreLoadTest {
    private static final Duration TICK = Duration.ofMillis(250);
    private static final int DELETED_AT_ONCE = 500;

    private final Leases leases;
    private final HostEnvironment environment;
    private final LoadTestCycle cycle;
    private final String namespace;
    private final LatencyHistogram latencies = new LatencyHistogram();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final AtomicInteger running = new AtomicInteger();

    StoreLoadTest(Leases leases, LoadTestCycle cycle) {
        this.leases = leases;
        this.environment = LeaseService.of(leases).environment();
        this.cycle = cycle;
        this.namespace = "holdfast-bench-" + environment.randomId();
    }

    /** The measurements. */
    record Result(long cycles, double cyclesPerSecond, long p50Micros, long p99Micros) {}

    /** @param progress receives the number of completed cycles a few times per second */
    Result run(int callers, Duration time, LongConsumer progress) throws InterruptedException {
        long start = environment.nanos();
        long deadline = start + time.toNanos();
        running.set(callers);
        for (int i = 0; i < callers; i++) {
            next(i, 0, deadline);
        }
        tick(progress);
        environment.await(over);
        try {
            over.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
        double seconds = (environment.nanos() - start) / 1e9;
        long cycles = latencies.count();
        return new Result(cycles, cycles / seconds, latencies.micros(0.5), latencies.micros(0.99));
    }

    private void tick(LongConsumer progress) {
        if (!over.isDone()) {
            progress.accept(latencies.count());
            environment.schedule(TICK, () -> tick(progress));
        }
    }

    private void next(int caller, long round, long deadline) {
        long began = environment.nanos();
        if (began - deadline >= 0) {
            if (running.decrementAndGet() == 0) {
                over.complete(null);
            }
            return;
        }
        cycle.cycle(leases.async(), namespace, caller, round).whenComplete((done, error) -> {
            if (error != null) {
                over.completeExceptionally(error instanceof CompletionException ? error.getCause() : error);
            } else {
                latencies.record(environment.nanos() - began);
                next(caller, round + 1, deadline);
            }
        });
    }

    /** Deletes all keys of the test. */
    void deleteKeys() {
        try (Stream<LeaseStatus> statuses = leases.list(LeaseFilter.namespacePrefix(namespace))) {
            List<CompletableFuture<?>> deletions = new ArrayList<>();
            statuses.forEach(status -> {
                deletions.add(leases.async().delete(status.key(), null).toCompletableFuture());
                if (deletions.size() == DELETED_AT_ONCE) {
                    join(deletions);
                }
            });
            join(deletions);
        }
    }

    private static void join(List<CompletableFuture<?>> deletions) {
        CompletableFuture.allOf(deletions.toArray(new CompletableFuture<?>[0])).join();
        deletions.clear();
    }
}
