package dev.holdfast.bench;

import java.util.ArrayList;
import java.util.List;

/** The figures of one contestant, one per round. */
public final class MeasuredSeries {
    private final List<Double> figures = new ArrayList<>();

    public double add(double figure) {
        figures.add(figure);
        return figure;
    }

    boolean isEmpty() {
        return figures.isEmpty();
    }

    public double median() {
        return atRank(figures.size() / 2);
    }

    double least() {
        return atRank(0);
    }

    double most() {
        return atRank(figures.size() - 1);
    }

    private double atRank(int rank) {
        return figures.stream().sorted().toList().get(rank);
    }
}
