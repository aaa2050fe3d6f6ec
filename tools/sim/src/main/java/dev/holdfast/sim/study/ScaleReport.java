package dev.holdfast.sim.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures as tables for docs/performance.md. */
final class ScaleReport {
    private static final int MINUTES_FROM = 300;

    private final List<String> lines = new ArrayList<>();

    ScaleReport(FiguresFile file) {
        rest(file.of(SpreadingMethod.PLANNED), file.of(SpreadingMethod.SCANNING));
        for (SpreadingMethod method : SpreadingMethod.values()) {
            changes(method.title(), file.of(method));
        }
    }

    List<String> lines() {
        return lines;
    }

    private void rest(List<DeploymentFigures> real, List<DeploymentFigures> scanning) {
        lines.add(
                "| workers x units | requests/s at rest: writes, reads, pages | per worker | model: writes, pages | x |");
        lines.add("| --- | --- | --- | --- | --- |");
        for (int i = 0; i < real.size(); i++) {
            DeploymentFigures ours = real.get(i);
            DeploymentFigures theirs = scanning.get(i);
            row(
                    size(ours),
                    perSecond(ours.rest().all()) + ": " + perSecond(ours.rest().writes()) + ", "
                            + perSecond(ours.rest().reads()) + ", "
                            + perSecond(ours.rest().pages()),
                    format("%.2f", ours.requestsPerSecond() / ours.workers()),
                    perSecond(theirs.rest().all()) + ": "
                            + perSecond(theirs.rest().writes()) + ", "
                            + perSecond(theirs.rest().pages()),
                    format("%.0f", theirs.requestsPerSecond() / ours.requestsPerSecond()));
        }
    }

    private void changes(String title, List<DeploymentFigures> all) {
        lines.add("");
        lines.add(
                "| " + title + " | cold: balanced | a tenth lost: none idle | moves / least | the planner among them |"
                        + " moves / least | and all standbys | a tenth more: balanced | moves / least |");
        lines.add("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (DeploymentFigures figures : all) {
            row(
                    size(figures),
                    time(figures.cold()),
                    time(figures.loss().recovered()),
                    moves(figures.loss()),
                    time(figures.plannerLoss().recovered()),
                    moves(figures.plannerLoss()),
                    time(figures.commandLoss().recovered()),
                    time(figures.growth().balanced()),
                    moves(figures.growth()));
        }
    }

    private void row(String... cells) {
        lines.add("| " + String.join(" | ", cells) + " |");
    }

    private static String size(DeploymentFigures figures) {
        return format("%,d x %,d", figures.workers(), figures.units());
    }

    private static String perSecond(long count) {
        return format("%,.0f", (double) count / DeploymentFigures.REST.toSeconds());
    }

    private static String moves(DeploymentFigures.Change change) {
        return format("%,d / %,d", change.moves(), change.least());
    }

    private static String time(Duration time) {
        return time.toSeconds() >= MINUTES_FROM
                ? format("%d min", time.toMinutes())
                : format("%.1f s", time.toMillis() / 1e3);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
