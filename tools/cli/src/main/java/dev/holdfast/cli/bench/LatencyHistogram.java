package dev.holdfast.cli.bench;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Histogram of durations in buckets about 1 % wide, from a microsecond to an hour. Its size is small and fixed, however
 * long the test runs. Thread-safe.
 */
final class LatencyHistogram {
    /** Buckets per doubling. */
    private static final int STEPS = 64;

    private static final int DOUBLINGS = 32;

    private final AtomicLongArray counts = new AtomicLongArray(STEPS * DOUBLINGS);

    void record(long nanos) {
        counts.incrementAndGet(bucket(Math.max(1, nanos / 1_000)));
    }

    long count() {
        long total = 0;
        for (int i = 0; i < counts.length(); i++) {
            total += counts.get(i);
        }
        return total;
    }

    /** The percentile: the upper bound of the bucket that contains it; 0 without any measurement. */
    long micros(double share) {
        long rank = (long) Math.ceil(count() * share);
        long seen = 0;
        for (int i = 0; i < counts.length(); i++) {
            seen += counts.get(i);
            if (seen >= rank && seen > 0) {
                return upper(i);
            }
        }
        return 0;
    }

    private static int bucket(long micros) {
        int doubling = 63 - Long.numberOfLeadingZeros(micros);
        if (doubling >= DOUBLINGS) {
            return STEPS * DOUBLINGS - 1;
        }
        long within = ((micros - (1L << doubling)) * STEPS) >> doubling;
        return doubling * STEPS + (int) within;
    }

    private static long upper(int bucket) {
        int doubling = bucket / STEPS;
        long within = bucket % STEPS + 1L;
        return Math.max(1L << doubling, (1L << doubling) + ((within << doubling) / STEPS) - 1);
    }
}
