package dev.holdfast.sim.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The figures as curves in SVG: three panels side by side, each with all methods. */
final class ScalePlot {
    private static final int WIDTH = 1170;
    private static final int HEIGHT = 400;
    private static final int LEFT = 90;
    private static final int PANEL = 365;
    private final FiguresFile file;
    private final StringBuilder svg = new StringBuilder();

    ScalePlot(FiguresFile file) {
        this.file = file;
    }

    String draw() {
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\">",
                WIDTH, HEIGHT);
        line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        ChartPanel rest = panel(0, "requests a second at rest", 1, 1e8);
        curves(rest, DeploymentFigures::requestsPerSecond);
        ChartPanel loss = panel(1, "seconds until no unit is idle; a tenth lost, the planner too", 1, 1e3);
        loss.level(
                FleetDeployment.TERM
                                .plus(HoldfastFleet.OPTIONS.poll().multipliedBy(2))
                                .toMillis()
                        / 1e3,
                "term + 2 polls");
        curves(loss, figures -> seconds(figures.plannerLoss().recovered().toMillis()));
        ChartPanel growth = panel(2, "seconds until balanced; a tenth more workers", 1, 1e4);
        curves(growth, figures -> seconds(figures.growth().balanced().toMillis()));
        legend();
        return svg.append("</svg>\n").toString();
    }

    private static double seconds(long millis) {
        return millis / 1e3;
    }

    private ChartPanel panel(int number, String title, double low, double high) {
        List<DeploymentFigures> all = file.of(SpreadingMethod.SCANNING);
        LogarithmicAxis across = new LogarithmicAxis(
                all.get(0).workers(), all.get(all.size() - 1).workers(), 270);
        ChartPanel panel = new ChartPanel(svg, LEFT + number * PANEL, across, new LogarithmicAxis(low, high, 260));
        panel.frame(title);
        return panel;
    }

    private void curves(ChartPanel panel, ToDoubleFunction<DeploymentFigures> value) {
        // The two curves of Holdfast often overlap: the dashed one is drawn last.
        for (SpreadingMethod method :
                List.of(SpreadingMethod.SCANNING, SpreadingMethod.PLANNED, SpreadingMethod.OBSERVED)) {
            List<double[]> points = new ArrayList<>();
            file.of(method).forEach(each -> points.add(new double[] {each.workers(), value.applyAsDouble(each)}));
            panel.curve(points, method.colour(), method == SpreadingMethod.OBSERVED ? "3 5" : "none");
        }
    }

    private void legend() {
        int x = LEFT;
        for (SpreadingMethod method : SpreadingMethod.values()) {
            line("<rect x=\"%d\" y=\"376\" width=\"14\" height=\"4\" fill=\"%s\"/>", x, method.colour());
            line("<text x=\"%d\" y=\"382\" font-size=\"12\">%s</text>", x + 20, method.title());
            x += 260;
        }
    }

    private void line(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
