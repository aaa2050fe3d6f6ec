package dev.holdfast.micrometer;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The meters of a client: grants, renewals, losses, and the work of its store. A server has the same ones.
 *
 * <pre>{@code
 * Leases leases = Holdfast.open(url, LeasesOptions.builder().listener(LeaseMeters.of(registry)).build());
 * }</pre>
 *
 * <p>Keys are not tags, because there may be millions of them: see {@link Builder#keyTags}.
 *
 * <p>Thread-safe.
 */
public final class LeaseMeters implements LeaseListener {
    private final Function<Key, KeyMeters> ofKey;
    private final DistributionSummary batchSize;
    private final DistributionSummary queueDepth;
    private final Timer batchTime;

    private LeaseMeters(Builder from) {
        ofKey = from.keyMeters();
        batchSize = DistributionSummary.builder("holdfast.batch.size")
                .description("Changes in a batch")
                .tags(from.tags)
                .serviceLevelObjectives(1, 4, 16, 64, 256)
                .register(from.registry);
        queueDepth = DistributionSummary.builder("holdfast.queue.depth")
                .description("Requests waiting in a lane when the store has answered its batch")
                .tags(from.tags)
                .serviceLevelObjectives(1, 10, 100, 1_000, 10_000)
                .register(from.registry);
        batchTime = Timer.builder("holdfast.batch.time")
                .description("Time the store took for a batch")
                .tags(from.tags)
                .serviceLevelObjectives(KeyMeters.seconds(0.001, 0.005, 0.02, 0.1, 1, 10))
                .register(from.registry);
    }

    /** The meters of the only client of this process. */
    public static LeaseMeters of(MeterRegistry registry) {
        return builder(registry).build();
    }

    public static Builder builder(MeterRegistry registry) {
        return new Builder(registry);
    }

    @Override
    public void onGranted(Key key, Fence fence) {
        ofKey.apply(key).granted();
    }

    @Override
    public void onRenewed(Key key, long leftNanos) {
        ofKey.apply(key).renewed(leftNanos);
    }

    @Override
    public void onLost(Key key, LostReason reason) {
        ofKey.apply(key).lost(reason);
    }

    @Override
    public void onEvicted(Key key, String why) {
        ofKey.apply(key).evicted();
    }

    @Override
    public void onConflict(Key key) {
        ofKey.apply(key).conflict();
    }

    @Override
    public void onRetry(Key key, int attempt, StoreException cause) {
        ofKey.apply(key).retried(cause.effect());
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
        ofKey.apply(key).answered(nanos);
    }

    @Override
    public void onWaitEnded(Key key, long nanos, boolean granted) {
        ofKey.apply(key).waitEnded(nanos, granted);
    }

    /** Makes {@link LeaseMeters}. */
    public static final class Builder {
        private final MeterRegistry registry;
        private Tags tags = Tags.empty();
        private Function<Key, Tags> keyTags = key -> Tags.empty();
        private boolean isTaggedByKey;

        private Builder(MeterRegistry registry) {
            this.registry = registry;
        }

        /** Tags of all meters, for example the name of the store if a process has clients of several stores. */
        public Builder tags(Tags newTags) {
            tags = newTags;
            return this;
        }

        /**
         * Tags from the key, for the meters of grants, renewals, losses, evictions, conflicts, retries and answers. By default
         * there are none.
         *
         * <p>Every different result is a time series of its own that is never removed. Return few different ones: the namespace
         * rather than the name. Always return the same names of tags, as Prometheus requires that.
         */
        public Builder keyTags(Function<Key, Tags> newKeyTags) {
            keyTags = newKeyTags;
            isTaggedByKey = true;
            return this;
        }

        /** Registers the meters. */
        public LeaseMeters build() {
            return new LeaseMeters(this);
        }

        /** Without tags from keys, the meters exist from the beginning, so that they are exported as zero. */
        private Function<Key, KeyMeters> keyMeters() {
            if (!isTaggedByKey) {
                KeyMeters ofAll = new KeyMeters(registry, tags);
                return key -> ofAll;
            }
            // As large as the number of time series in the registry.
            Map<Tags, KeyMeters> known = new ConcurrentHashMap<>();
            Tags common = tags;
            Function<Key, Tags> byKey = keyTags;
            return key -> known.computeIfAbsent(byKey.apply(key), ofKey -> new KeyMeters(registry, common.and(ofKey)));
        }
    }
}
