package dev.holdfast.sim.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The figures as curves, in SVG: three panels side by side, each with both ways in it. */
final class Plot {
    private static final int WIDTH = 1170;
    private static final int HEIGHT = 400;
    private static final int LEFT = 90;
    private static final int PANEL = 365;
    private final Ledger ledger;
    private final StringBuilder svg = new StringBuilder();

    Plot(Ledger ledger) {
        this.ledger = ledger;
    }

    String draw() {
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\">",
                WIDTH, HEIGHT);
        line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        Panel rest = panel(0, "requests a second at rest", 1, 1e8);
        curves(rest, Figures::requestsPerSecond);
        Panel loss = panel(1, "seconds until no unit is idle; a tenth lost, the planner too", 1, 1e3);
        loss.level(
                Deployment.TERM.plus(RealFleet.OPTIONS.poll().multipliedBy(2)).toMillis() / 1e3, "term + 2 polls");
        curves(loss, figures -> seconds(figures.plannerLoss().recovered().toMillis()));
        Panel growth = panel(2, "seconds until balanced; a tenth more workers", 1, 1e4);
        curves(growth, figures -> seconds(figures.growth().balanced().toMillis()));
        legend();
        return svg.append("</svg>\n").toString();
    }

    private static double seconds(long millis) {
        return millis / 1e3;
    }

    private Panel panel(int number, String title, double low, double high) {
        List<Figures> all = ledger.of(Way.SCANNING);
        Axis across = new Axis(all.get(0).workers(), all.get(all.size() - 1).workers(), 270);
        Panel panel = new Panel(svg, LEFT + number * PANEL, across, new Axis(low, high, 260));
        panel.frame(title);
        return panel;
    }

    private void curves(Panel panel, ToDoubleFunction<Figures> value) {
        // The two of Holdfast are often one upon the other: the dashed one comes last.
        for (Way way : List.of(Way.SCANNING, Way.PLANNED, Way.OBSERVED)) {
            List<double[]> points = new ArrayList<>();
            ledger.of(way).forEach(each -> points.add(new double[] {each.workers(), value.applyAsDouble(each)}));
            panel.curve(points, way.colour(), way == Way.OBSERVED ? "3 5" : "none");
        }
    }

    private void legend() {
        int x = LEFT;
        for (Way way : Way.values()) {
            line("<rect x=\"%d\" y=\"376\" width=\"14\" height=\"4\" fill=\"%s\"/>", x, way.colour());
            line("<text x=\"%d\" y=\"382\" font-size=\"12\">%s</text>", x + 20, way.title());
            x += 260;
        }
    }

    private void line(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
