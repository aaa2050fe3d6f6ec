package dev.holdfast.bench.report;

import java.util.ArrayList;
import java.util.List;

/** The curves of a metric over the numbers with which the names of cells begin. */
public record FigureCurves(FigureSet figures, String load, List<String> opponents) {
    /** A line for each opponent through the medians of the cells whose name ends so. */
    public List<LineChart.Line> of(String metric, String cellEnd) {
        FigureSet some = figures.where(Figure::load, load).where(Figure::metric, metric);
        List<LineChart.Line> lines = new ArrayList<>();
        for (String opponent : opponents) {
            FigureSet own = some.where(Figure::opponent, opponent);
            List<double[]> points = new ArrayList<>();
            for (String cell : own.distinct(Figure::cell)) {
                double median =
                        ValueSpread.of(own.where(Figure::cell, cell).values()).median();
                if (cell.contains(cellEnd) && median > 0) {
                    points.add(new double[] {Double.parseDouble(cell.substring(0, cell.indexOf(' '))), median});
                }
            }
            if (!points.isEmpty()) {
                lines.add(new LineChart.Line(opponent, points));
            }
        }
        return lines;
    }
}
