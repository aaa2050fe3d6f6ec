package dev.holdfast.sim.study;

import java.util.List;
import java.util.Locale;

/** One diagram: workers on the x axis, a figure on the y axis, both logarithmic. */
final class ChartPanel {
    private static final int TOP = 50;

    private final StringBuilder svg;
    private final int left;
    private final LogarithmicAxis across;
    private final LogarithmicAxis up;

    ChartPanel(StringBuilder svg, int left, LogarithmicAxis across, LogarithmicAxis up) {
        this.svg = svg;
        this.left = left;
        this.across = across;
        this.up = up;
    }

    void frame(String title) {
        text(left, TOP - 20, "start", 12, title);
        for (double tick : across.ticks()) {
            stroke(x(tick), TOP, x(tick), TOP + up.length(), "#dddddd");
            text(x(tick), TOP + up.length() + 18, "middle", 11, shown(tick));
        }
        for (double tick : up.ticks()) {
            stroke(left, y(tick), left + across.length(), y(tick), "#dddddd");
            text(left - 6, y(tick) + 4, "end", 11, shown(tick));
        }
        text(left + across.length() / 2.0, TOP + up.length() + 36, "middle", 11, "workers, 100 units each");
    }

    /** @param dashes the SVG dash pattern; {@code none} for a solid line */
    void curve(List<double[]> points, String colour, String dashes) {
        StringBuilder path = new StringBuilder();
        for (double[] point : points) {
            path.append(path.isEmpty() ? "M" : "L")
                    .append(number(x(point[0])))
                    .append(' ')
                    .append(number(y(point[1])));
            line(
                    "<circle cx=\"%s\" cy=\"%s\" r=\"3.5\" fill=\"%s\"/>",
                    number(x(point[0])), number(y(point[1])), colour);
        }
        line(
                "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>",
                path, colour, dashes);
    }

    void level(double value, String name) {
        line(
                "<path d=\"M%s %sh%d\" stroke=\"#555555\" stroke-dasharray=\"4 4\"/>",
                number(left), number(y(value)), across.length());
        text(left + across.length(), y(value) - 6, "end", 11, name);
    }

    private double x(double value) {
        return left + across.at(value);
    }

    private double y(double value) {
        return TOP + up.length() - up.at(value);
    }

    private void stroke(double fromX, double fromY, double toX, double toY, String colour) {
        line(
                "<path d=\"M%s %sL%s %s\" stroke=\"%s\"/>",
                number(fromX), number(fromY), number(toX), number(toY), colour);
    }

    private void text(double x, double y, String anchor, int size, String text) {
        line(
                "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" font-size=\"%d\">%s</text>",
                number(x), number(y), anchor, size, text);
    }

    private static String shown(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private void line(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
