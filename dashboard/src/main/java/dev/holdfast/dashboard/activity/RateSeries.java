package dev.holdfast.dashboard.activity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Grants, losses and batches of the last 15 minutes, in steps of 10 seconds. Latencies are kept as histograms with buckets that grow
 * by a quarter, so percentiles are exact to 12 %. Thread-safe.
 */
public final class RateSeries {
    public static final int STEP_SECONDS = 10;
    public static final int STEPS = 90;

    private static final long STEP_NANOS = STEP_SECONDS * 1_000_000_000L;
    /** From 10 microseconds up to more than a minute. */
    private static final int BUCKETS = 72;

    private static final double FIRST_NANOS = 10_000;
    private static final double GROWTH = 1.25;

    private final LongSupplier nanos;
    private final long startNanos;
    private final Step[] steps = new Step[STEPS];

    private static final class Step {
        private long number = -1;
        private long grants;
        private long losses;
        private long batches;
        private long changes;
        private final int[] latencies = new int[BUCKETS];
    }

    /**
     * One finished step.
     *
     * @param batchMillisP50 null if there was no batch, as in the next two
     */
    public record StepRates(
            double grantsPerSecond,
            double lossesPerSecond,
            @Nullable Double batchMillisP50,
            @Nullable Double batchMillisP99,
            @Nullable Double batchSize) {}

    RateSeries(LongSupplier nanos) {
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
        for (int i = 0; i < STEPS; i++) {
            steps[i] = new Step();
        }
    }

    private long number() {
        return (nanos.getAsLong() - startNanos) / STEP_NANOS;
    }

    private Step current() {
        long number = number();
        Step step = steps[(int) (number % STEPS)];
        if (step.number != number) {
            step.number = number;
            step.grants = 0;
            step.losses = 0;
            step.batches = 0;
            step.changes = 0;
            Arrays.fill(step.latencies, 0);
        }
        return step;
    }

    synchronized void granted() {
        current().grants++;
    }

    synchronized void lost() {
        current().losses++;
    }

    synchronized void batch(int changes, long batchNanos) {
        Step step = current();
        step.batches++;
        step.changes += changes;
        step.latencies[bucket(batchNanos)]++;
    }

    private static int bucket(long value) {
        if (value <= FIRST_NANOS) {
            return 0;
        }
        int bucket = (int) Math.ceil(Math.log(value / FIRST_NANOS) / Math.log(GROWTH));
        return Math.min(bucket, BUCKETS - 1);
    }

    /** The steps, oldest first, with the one that has not ended yet last. */
    public synchronized List<StepRates> steps() {
        long newest = number();
        List<StepRates> rates = new ArrayList<>(STEPS);
        for (long number = newest - STEPS + 1; number <= newest; number++) {
            Step step = number < 0 ? null : steps[(int) (number % STEPS)];
            boolean isRecorded = step != null && step.number == number;
            double seconds = number == newest ? Math.max(1, secondsOfCurrent()) : STEP_SECONDS;
            rates.add(isRecorded && step != null ? rates(step, seconds) : new StepRates(0, 0, null, null, null));
        }
        return rates;
    }

    private double secondsOfCurrent() {
        return (nanos.getAsLong() - startNanos) % STEP_NANOS / 1e9;
    }

    private static StepRates rates(Step step, double seconds) {
        boolean hasBatches = step.batches > 0;
        return new StepRates(
                rounded(step.grants / seconds),
                rounded(step.losses / seconds),
                hasBatches ? percentileMillis(step, 0.5) : null,
                hasBatches ? percentileMillis(step, 0.99) : null,
                hasBatches ? rounded((double) step.changes / step.batches) : null);
    }

    private static Double percentileMillis(Step step, double share) {
        long rank = (long) Math.ceil(share * step.batches);
        int bucket = 0;
        for (long seen = step.latencies[0]; seen < rank; seen += step.latencies[bucket]) {
            bucket++;
        }
        return rounded(FIRST_NANOS * Math.pow(GROWTH, bucket) / 1e6);
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
