package dev.holdfast.bench.contender;

/** Durations in buckets about 2 % wide, from a microsecond to an hour. Not thread-safe: each caller has its own. */
public final class DurationHistogram {
    /** Buckets per doubling. */
    private static final int STEPS = 32;

    private static final int DOUBLINGS = 32;

    private final long[] counts = new long[STEPS * DOUBLINGS];

    public void add(long nanos) {
        counts[bucket(Math.max(1, nanos / 1_000))]++;
    }

    public void addAll(DurationHistogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
    }

    public long size() {
        long total = 0;
        for (long count : counts) {
            total += count;
        }
        return total;
    }

    /** The duration below which this share of all durations is, in microseconds; 0 if there is none. */
    public long quantileMicros(double share) {
        long rank = Math.max(1, (long) Math.ceil(size() * share));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return upperMicros(i);
            }
        }
        return 0;
    }

    private static int bucket(long micros) {
        int doubling = 63 - Long.numberOfLeadingZeros(micros);
        if (doubling >= DOUBLINGS) {
            return STEPS * DOUBLINGS - 1;
        }
        return doubling * STEPS + (int) (((micros - (1L << doubling)) * STEPS) >> doubling);
    }

    private static long upperMicros(int bucket) {
        int doubling = bucket / STEPS;
        long within = bucket % STEPS + 1L;
        return Math.max(1L << doubling, (1L << doubling) + ((within << doubling) / STEPS) - 1);
    }

    /** The non-empty buckets as text, for {@link #parse}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                text.append(text.isEmpty() ? "" : ",").append(i).append(':').append(counts[i]);
            }
        }
        return text.toString();
    }

    public static DurationHistogram parse(String text) {
        DurationHistogram histogram = new DurationHistogram();
        for (String pair : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int colon = pair.indexOf(':');
            histogram.counts[Integer.parseInt(pair.substring(0, colon))] += Long.parseLong(pair.substring(colon + 1));
        }
        return histogram;
    }
}
