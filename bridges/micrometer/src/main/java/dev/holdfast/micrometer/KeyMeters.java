package dev.holdfast.micrometer;

import static java.util.Objects.requireNonNull;

import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The meters of events that concern a key: of all keys together, or of those keys that have the same tags. */
final class KeyMeters {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter granted;
    private final Timer left;
    private final Map<LostReason, Counter> lost;
    private final Counter evicted;
    private final Counter conflicts;
    private final Map<StoreException.Effect, Counter> retries;
    private final Timer answerTime;
    private final Timer grantedWait;
    private final Timer failedWait;

    KeyMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        granted = counter("holdfast.granted", Tags.empty(), "Leases granted");
        left = Timer.builder("holdfast.renewal.left")
                .description("Time left of the term when a lease was renewed")
                .tags(tags)
                .serviceLevelObjectives(seconds(0.1, 1, 5, 10, 30, 60, 300))
                .register(registry);
        lost = counters(LostReason.class, "holdfast.lost", "reason", "Holders notified that their lease is lost");
        evicted = counter("holdfast.evicted", Tags.empty(), "Leases evicted: expired, or removed by force");
        conflicts = counter("holdfast.conflicts", Tags.empty(), "Writes rejected because another write came first");
        retries = counters(
                StoreException.Effect.class,
                "holdfast.store.errors",
                "effect",
                "Requests that failed in the store and were retried");
        answerTime = Timer.builder("holdfast.answer.time")
                .description("Time the request pipeline took for a request, including all retries")
                .tags(tags)
                .serviceLevelObjectives(seconds(0.001, 0.005, 0.02, 0.1, 1, 10))
                .register(registry);
        grantedWait = waitTimer("granted");
        failedWait = waitTimer("not_granted");
    }

    private Timer waitTimer(String outcome) {
        return Timer.builder("holdfast.wait.time")
                .description("Time that a request waited for the holder of a key")
                .tags(tags.and("outcome", outcome))
                .serviceLevelObjectives(seconds(0.01, 0.1, 1, 10, 60, 600))
                .register(registry);
    }

    static Duration[] seconds(double... values) {
        Duration[] durations = new Duration[values.length];
        for (int i = 0; i < values.length; i++) {
            durations[i] = Duration.ofNanos(Math.round(values[i] * 1e9));
        }
        return durations;
    }

    private Counter counter(String name, Tags more, String description) {
        return Counter.builder(name)
                .description(description)
                .tags(tags.and(more))
                .register(registry);
    }

    /** One counter for each value of {@code type}, which is its tag. */
    private <E extends Enum<E>> Map<E, Counter> counters(Class<E> type, String name, String tag, String description) {
        Map<E, Counter> counters = new EnumMap<>(type);
        for (E value : EnumSet.allOf(type)) {
            Tags ofValue = Tags.of(tag, value.name().toLowerCase(Locale.ROOT));
            counters.put(value, counter(name, ofValue, description));
        }
        return counters;
    }

    void granted() {
        granted.increment();
    }

    void renewed(long leftNanos) {
        left.record(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
    }

    void lost(LostReason reason) {
        requireNonNull(lost.get(reason)).increment();
    }

    void evicted() {
        evicted.increment();
    }

    void conflict() {
        conflicts.increment();
    }

    void retried(StoreException.Effect effect) {
        requireNonNull(retries.get(effect)).increment();
    }

    void waitEnded(long nanos, boolean isGranted) {
        (isGranted ? grantedWait : failedWait).record(nanos, TimeUnit.NANOSECONDS);
    }

    void answered(long nanos) {
        answerTime.record(nanos, TimeUnit.NANOSECONDS);
    }
}
