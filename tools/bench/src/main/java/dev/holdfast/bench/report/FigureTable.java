package dev.holdfast.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Tables in Markdown: the figures of every load and metric, and the ratios of the first metric beside a baseline. */
public final class FigureTable {
    private final FigureSet figures;
    private final String baseline;
    private final List<String> order;
    private final StringBuilder text = new StringBuilder();

    /** @param order the opponents, as rows */
    public FigureTable(FigureSet figures, String baseline, List<String> order) {
        this.figures = figures;
        this.baseline = baseline;
        this.order = List.copyOf(order);
    }

    public String draw() {
        for (String load : figures.distinct(Figure::load)) {
            FigureSet ofLoad = figures.where(Figure::load, load);
            text.append("\n## Load ").append(load).append('\n');
            List<String> metrics = ofLoad.distinct(Figure::metric);
            for (String metric : metrics) {
                draw(metric, ofLoad.where(Figure::metric, metric));
            }
            drawRatios(metrics.get(0), ofLoad.where(Figure::metric, metrics.get(0)));
        }
        return text.toString();
    }

    private void draw(String metric, FigureSet some) {
        List<String> cells = some.distinct(Figure::cell);
        head(metric, cells);
        for (String opponent : opponents(some)) {
            FigureSet own = some.where(Figure::opponent, opponent);
            row(
                    opponent,
                    cells.stream()
                            .map(cell -> cell(own.where(Figure::cell, cell)))
                            .toList());
        }
    }

    private void drawRatios(String metric, FigureSet some) {
        FigureSet beside = some.where(Figure::opponent, baseline);
        if (beside.isEmpty()) {
            return;
        }
        List<String> cells = some.distinct(Figure::cell);
        head(metric + " : " + baseline, cells);
        for (String opponent : opponents(some)) {
            FigureSet own = some.where(Figure::opponent, opponent);
            row(
                    opponent,
                    cells.stream()
                            .map(cell -> ratio(own.where(Figure::cell, cell), beside.where(Figure::cell, cell)))
                            .toList());
        }
    }

    private List<String> opponents(FigureSet some) {
        List<String> opponents = new ArrayList<>(order);
        opponents.retainAll(some.distinct(Figure::opponent));
        return opponents;
    }

    private void head(String name, List<String> cells) {
        text.append('\n');
        row(name, cells);
        row("---", cells.stream().map(cell -> "---").toList());
    }

    private void row(String name, List<String> cells) {
        text.append("| ")
                .append(name)
                .append(" | ")
                .append(String.join(" | ", cells))
                .append(" |\n");
    }

    private static String cell(FigureSet figures) {
        return figures.isEmpty() ? "" : ValueSpread.of(figures.values()) + (figures.isNoisy() ? " noisy" : "");
    }

    private static String ratio(FigureSet own, FigureSet beside) {
        List<Double> ratios = own.ratios(beside);
        return ratios.isEmpty() ? "" : ValueSpread.of(ratios).toString();
    }
}
