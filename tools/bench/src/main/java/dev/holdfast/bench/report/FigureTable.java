package dev.holdfast.bench.report;

import java.util.List;

/** Tables in Markdown: for every load and metric the figures, and their ratios beside a baseline. */
public final class FigureTable {
    private final FigureSet figures;
    private final String baseline;
    private final StringBuilder text = new StringBuilder();

    public FigureTable(FigureSet figures, String baseline) {
        this.figures = figures;
        this.baseline = baseline;
    }

    public String draw() {
        for (String load : figures.distinct(Figure::load)) {
            FigureSet ofLoad = figures.where(Figure::load, load);
            text.append("\n## Load ").append(load).append('\n');
            for (String metric : ofLoad.distinct(Figure::metric)) {
                draw(metric, ofLoad.where(Figure::metric, metric));
            }
        }
        return text.toString();
    }

    private void draw(String metric, FigureSet some) {
        List<String> cells = some.distinct(Figure::cell);
        FigureSet beside = some.where(Figure::opponent, baseline);
        text.append('\n');
        row(metric, cells);
        row("---", cells.stream().map(cell -> "---").toList());
        for (String opponent : some.distinct(Figure::opponent)) {
            FigureSet own = some.where(Figure::opponent, opponent);
            row(
                    opponent,
                    cells.stream()
                            .map(cell -> cell(own.where(Figure::cell, cell)))
                            .toList());
            if (!beside.isEmpty() && !opponent.equals(baseline)) {
                row(
                        ": " + baseline,
                        cells.stream()
                                .map(cell -> ratio(own.where(Figure::cell, cell), beside.where(Figure::cell, cell)))
                                .toList());
            }
        }
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
        return ratios.isEmpty() ? "" : "x " + ValueSpread.of(ratios);
    }
}
