package dev.holdfast.server.operations;

import static java.util.Objects.requireNonNull;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The metrics of the request pipeline below a server. Keys are not labels, because there may be millions of them. */
final class LeaseMetrics implements LeaseListener {
    private final Counter granted;
    private final Timer left;
    private final Map<LostReason, Counter> lost;
    private final Counter evicted;
    private final Counter conflicts;
    private final Map<StoreException.Effect, Counter> retries;
    private final DistributionSummary batchSize;
    private final DistributionSummary queueDepth;
    private final Timer batchTime;
    private final Timer answerTime;

    LeaseMetrics(MeterRegistry registry) {
        granted = counter(registry, "holdfast.granted", "Leases granted");
        left = Timer.builder("holdfast.renewal.left")
                .description("Time left of the term when a lease was renewed")
                .serviceLevelObjectives(seconds(0.1, 1, 5, 10, 30, 60, 300))
                .register(registry);
        lost = counters(
                registry, LostReason.class, "holdfast.lost", "reason", "Holders notified that their lease is lost");
        evicted = counter(registry, "holdfast.evicted", "Leases evicted: expired, or removed by force");
        conflicts = counter(registry, "holdfast.conflicts", "Writes rejected because another write came first");
        retries = counters(
                registry,
                StoreException.Effect.class,
                "holdfast.store.errors",
                "effect",
                "Requests that failed in the store and were retried");
        batchSize = DistributionSummary.builder("holdfast.batch.size")
                .description("Changes in a batch")
                .serviceLevelObjectives(1, 4, 16, 64, 256)
                .register(registry);
        queueDepth = DistributionSummary.builder("holdfast.queue.depth")
                .description("Requests waiting in a lane when the store has answered its batch")
                .serviceLevelObjectives(1, 10, 100, 1_000, 10_000)
                .register(registry);
        batchTime = Timer.builder("holdfast.batch.time")
                .description("Time the store took for a batch")
                .serviceLevelObjectives(seconds(0.001, 0.005, 0.02, 0.1, 1, 10))
                .register(registry);
        answerTime = Timer.builder("holdfast.answer.time")
                .description("Time the request pipeline took for a request, including all retries")
                .serviceLevelObjectives(seconds(0.001, 0.005, 0.02, 0.1, 1, 10))
                .register(registry);
    }

    static Duration[] seconds(double... values) {
        Duration[] durations = new Duration[values.length];
        for (int i = 0; i < values.length; i++) {
            durations[i] = Duration.ofNanos(Math.round(values[i] * 1e9));
        }
        return durations;
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /** One counter for each value of {@code type}, which is its tag. */
    static <E extends Enum<E>> Map<E, Counter> counters(
            MeterRegistry registry, Class<E> type, String name, String tag, String description) {
        Map<E, Counter> counters = new EnumMap<>(type);
        for (E value : EnumSet.allOf(type)) {
            counters.put(
                    value,
                    Counter.builder(name)
                            .description(description)
                            .tag(tag, value.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        return counters;
    }

    @Override
    public void onGranted(Key key, Fence fence) {
        granted.increment();
    }

    @Override
    public void onRenewed(Key key, long leftNanos) {
        left.record(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
    }

    @Override
    public void onLost(Key key, LostReason reason) {
        requireNonNull(lost.get(reason)).increment();
    }

    @Override
    public void onEvicted(Key key, String why) {
        evicted.increment();
    }

    @Override
    public void onConflict(Key key) {
        conflicts.increment();
    }

    @Override
    public void onRetry(Key key, int attempt, StoreException cause) {
        requireNonNull(retries.get(cause.effect())).increment();
    }

    @Override
    public void onBatch(int changes, long nanos) {
        batchSize.record(changes);
        batchTime.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void onQueue(int waiting) {
        queueDepth.record(waiting);
    }

    @Override
    public void onAnswered(Key key, long nanos) {
        answerTime.record(nanos, TimeUnit.NANOSECONDS);
    }
}
