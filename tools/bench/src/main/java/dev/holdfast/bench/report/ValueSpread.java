package dev.holdfast.bench.report;

import java.util.List;
import java.util.Locale;

/** The median of some values, with the least and the most. */
record ValueSpread(double median, double least, double most) {
    static ValueSpread of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new ValueSpread(median, sorted.get(0), sorted.get(sorted.size() - 1));
    }

    @Override
    public String toString() {
        return least == most ? text(median) : text(median) + " (" + text(least) + " to " + text(most) + ")";
    }

    /** Three digits, or all before the point. */
    static String text(double value) {
        String format = Math.abs(value) >= 100 ? "%,.0f" : Math.abs(value) >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
