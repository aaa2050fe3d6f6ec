package dev.holdfast.bench.report;

import java.util.Arrays;

/**
 * A logarithmic axis.
 *
 * @param length in pixels
 */
record LogScale(double low, double high, int length) {
    /** An axis with room for all values, which ends at powers of ten or at values. */
    static LogScale around(double[] values, int length) {
        double least = Arrays.stream(values).min().orElse(1);
        double most = Arrays.stream(values).max().orElse(10);
        return new LogScale(least * 0.8, Math.max(most * 1.25, least * 10), length);
    }

    double at(double value) {
        return (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low)) * length;
    }

    /** The powers of ten on the axis, and those of four where there are few of ten. */
    double[] ticks() {
        double step = high / low > 500 ? 10 : 4;
        double[] all = new double[40];
        for (int i = 0; i < all.length; i++) {
            all[i] = Math.pow(step, i - 10.0);
        }
        return Arrays.stream(all).filter(tick -> tick >= low && tick <= high).toArray();
    }
}
