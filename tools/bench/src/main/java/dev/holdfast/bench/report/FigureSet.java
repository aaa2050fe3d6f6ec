package dev.holdfast.bench.report;

import dev.holdfast.bench.machine.MachineNoise;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/** All figures of a run, in the order in which they were measured. */
public final class FigureSet {
    private final List<Figure> figures = new ArrayList<>();

    public void add(Figure figure) {
        figures.add(figure);
    }

    public boolean isEmpty() {
        return figures.isEmpty();
    }

    /** The different values of a field. */
    List<String> distinct(Function<Figure, String> field) {
        return figures.stream().map(field).distinct().toList();
    }

    FigureSet where(Function<Figure, String> field, String value) {
        FigureSet some = new FigureSet();
        figures.stream().filter(figure -> field.apply(figure).equals(value)).forEach(some::add);
        return some;
    }

    List<Double> values() {
        return figures.stream().map(Figure::value).toList();
    }

    boolean isNoisy() {
        return figures.stream().anyMatch(figure -> figure.noise() > MachineNoise.LIMIT);
    }

    /** The values divided by those of a baseline, of the rounds that both have. */
    List<Double> ratios(FigureSet baseline) {
        List<Double> ratios = new ArrayList<>();
        for (Figure figure : figures) {
            OptionalDouble beside = baseline.figures.stream()
                    .filter(other -> other.round() == figure.round() && other.value() > 0)
                    .mapToDouble(Figure::value)
                    .findFirst();
            beside.ifPresent(value -> ratios.add(figure.value() / value));
        }
        return ratios;
    }

    /** A file with a line for every figure. */
    public String toCsv() {
        StringBuilder csv = new StringBuilder("load,metric,cell,opponent,round,value,noise\n");
        for (Figure each : figures) {
            csv.append(String.format(
                    Locale.ROOT,
                    "\"%s\",\"%s\",%s,\"%s\",%d,%.3f,%.3f%n",
                    each.load(),
                    each.metric(),
                    each.cell(),
                    each.opponent(),
                    each.round(),
                    each.value(),
                    each.noise()));
        }
        return csv.toString();
    }
}
