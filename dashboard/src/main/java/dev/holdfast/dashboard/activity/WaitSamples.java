package dev.holdfast.dashboard.activity;

import dev.holdfast.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The last waits that have ended, at most of the last 15 minutes and at most ten thousand. Thread-safe. */
public final class WaitSamples {
    private static final int MOST = 10_000;
    private static final Duration KEPT = Duration.ofMinutes(15);

    private final LongSupplier nanos;
    private final @Nullable Key[] keys = new @Nullable Key[MOST];
    private final long[] waitNanos = new long[MOST];
    private final long[] endNanos = new long[MOST];
    private long count;

    /**
     * The waits of some keys.
     *
     * @param covered the time that the figures cover: shorter if there were very many waits
     */
    public record WaitFigures(int count, Duration p50, Duration p99, Duration longest, Duration covered) {}

    WaitSamples(LongSupplier nanos) {
        this.nanos = nanos;
    }

    synchronized void add(Key key, long lengthNanos) {
        int place = (int) (count++ % MOST);
        keys[place] = key;
        waitNanos[place] = lengthNanos;
        endNanos[place] = nanos.getAsLong();
    }

    /** The figures of all selected keys together. */
    public WaitFigures of(Predicate<Key> selected) {
        List<Long> found = new ArrayList<>();
        long coveredNanos = each((key, length) -> {
            if (selected.test(key)) {
                found.add(length);
            }
        });
        return figures(found, Duration.ofNanos(coveredNanos));
    }

    /** The figures of these keys, one by one; keys without waits are missing. */
    public Map<Key, WaitFigures> byKey(Predicate<Key> selected) {
        Map<Key, List<Long>> found = new HashMap<>();
        long coveredNanos = each((key, length) -> {
            if (selected.test(key)) {
                found.computeIfAbsent(key, any -> new ArrayList<>()).add(length);
            }
        });
        Map<Key, WaitFigures> figures = new HashMap<>();
        found.forEach((key, waits) -> figures.put(key, figures(waits, Duration.ofNanos(coveredNanos))));
        return figures;
    }

    private interface Sample {
        void take(Key key, long lengthNanos);
    }

    /** Passes all recent waits to {@code sample}. Returns the time that they cover. */
    private synchronized long each(Sample sample) {
        long now = nanos.getAsLong();
        long oldest = count > MOST ? endNanos[(int) (count % MOST)] : now - KEPT.toNanos();
        for (int i = 0; i < Math.min(count, MOST); i++) {
            Key key = keys[i];
            if (key != null && now - endNanos[i] <= KEPT.toNanos()) {
                sample.take(key, waitNanos[i]);
            }
        }
        return Math.min(now - oldest, KEPT.toNanos());
    }

    private static WaitFigures figures(List<Long> waits, Duration covered) {
        long[] sorted = waits.stream().mapToLong(Long::longValue).sorted().toArray();
        return new WaitFigures(
                sorted.length, percentile(sorted, 0.5), percentile(sorted, 0.99), percentile(sorted, 1), covered);
    }

    private static Duration percentile(long[] sorted, double share) {
        if (sorted.length == 0) {
            return Duration.ZERO;
        }
        int rank = (int) Math.ceil(share * sorted.length);
        return Duration.ofNanos(sorted[Math.max(0, rank - 1)]);
    }
}
