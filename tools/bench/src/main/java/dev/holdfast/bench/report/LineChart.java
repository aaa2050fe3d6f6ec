package dev.holdfast.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Diagrams side by side in SVG, with logarithmic axes, and one legend for all. */
public final class LineChart {
    private static final int PANEL = 420;
    private static final int WIDTH = 320;
    private static final int HEIGHT = 280;
    private static final int LEFT = 70;
    private static final int TOP = 40;
    private static final int LEGEND = 18;
    private static final String[] COLOURS = {
        "#0b6e4f", "#2ca02c", "#1f77b4", "#17becf", "#d62728", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f",
        "#bcbd22", "#000000", "#aec7e8", "#ffbb78", "#98df8a", "#ff9896", "#c5b0d5", "#c49c94", "#f7b6d2"
    };

    private final StringBuilder svg = new StringBuilder();
    private final List<String> names;
    private int panels;

    /** @param names the lines, which have the same colours in all diagrams */
    public LineChart(List<String> names) {
        this.names = List.copyOf(names);
    }

    /** A line through points, each an x and a y above 0. */
    public record Line(String name, List<double[]> points) {}

    /** Adds a diagram. */
    public void add(String title, String below, List<Line> lines) {
        int left = LEFT + panels++ * PANEL;
        LogScale across = scale(lines, 0, WIDTH);
        LogScale up = scale(lines, 1, HEIGHT);
        text(left, TOP - 15, "start", 13, title);
        text(left + WIDTH / 2.0, TOP + HEIGHT + 36, "middle", 11, below);
        for (double tick : across.ticks()) {
            stroke("M%.1f %dv%d", left + across.at(tick), TOP, HEIGHT);
            text(left + across.at(tick), TOP + HEIGHT + 16, "middle", 11, tickText(tick));
        }
        for (double tick : up.ticks()) {
            stroke("M%d %.1fh%d", left, TOP + HEIGHT - up.at(tick), WIDTH);
            text(left - 6, TOP + HEIGHT - up.at(tick) + 4, "end", 11, tickText(tick));
        }
        for (Line line : lines) {
            List<String> points = new ArrayList<>();
            for (double[] point : line.points()) {
                points.add(String.format(
                        Locale.ROOT, "%.1f,%.1f", left + across.at(point[0]), TOP + HEIGHT - up.at(point[1])));
            }
            write(
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
                    String.join(" ", points), colour(line.name()));
        }
    }

    private static LogScale scale(List<Line> lines, int axis, int length) {
        double[] values = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(point -> point[axis])
                .toArray();
        return LogScale.around(values, length);
    }

    private String colour(String name) {
        return COLOURS[Math.max(0, names.indexOf(name)) % COLOURS.length];
    }

    public String draw() {
        int top = TOP + HEIGHT + 60;
        for (int i = 0; i < names.size(); i++) {
            int x = LEFT + i % 2 * PANEL;
            int y = top + i / 2 * LEGEND;
            write("<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>", x, y - 6, colour(names.get(i)));
            text(x + 20, y, "start", 12, names.get(i));
        }
        int height = top + (names.size() + 1) / 2 * LEGEND + 10;
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\">%n"
                                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                        LEFT + Math.max(2, panels) * PANEL,
                        height)
                + svg
                + "</svg>\n";
    }

    private static String tickText(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%,.0f", value) : ValueSpread.text(value);
    }

    private void stroke(String path, Object... values) {
        write("<path d=\"%s\" stroke=\"#dddddd\"/>", String.format(Locale.ROOT, path, values));
    }

    private void text(double x, double y, String anchor, int size, String text) {
        write(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>",
                x, y, anchor, size, text.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private void write(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
