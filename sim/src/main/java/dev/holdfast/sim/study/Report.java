package dev.holdfast.sim.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures as tables for docs/performance.md. */
final class Report {
    private static final int MINUTES_FROM = 300;

    private final List<String> lines = new ArrayList<>();

    Report(Ledger ledger) {
        rest(ledger.of(Way.PLANNED), ledger.of(Way.SCANNING));
        for (Way way : Way.values()) {
            changes(way.title(), ledger.of(way));
        }
    }

    List<String> lines() {
        return lines;
    }

    private void rest(List<Figures> real, List<Figures> scanning) {
        lines.add(
                "| workers x units | requests/s at rest: writes, reads, pages | per worker | model: writes, pages | x |");
        lines.add("| --- | --- | --- | --- | --- |");
        for (int i = 0; i < real.size(); i++) {
            Figures ours = real.get(i);
            Figures theirs = scanning.get(i);
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

    private void changes(String what, List<Figures> all) {
        lines.add("");
        lines.add("| " + what + " | cold: balanced | a tenth lost: none idle | moves / least | the planner among them |"
                + " moves / least | and all who stand by | a tenth more: balanced | moves / least |");
        lines.add("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (Figures figures : all) {
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

    private static String size(Figures figures) {
        return format("%,d x %,d", figures.workers(), figures.units());
    }

    private static String perSecond(long count) {
        return format("%,.0f", (double) count / Figures.REST.toSeconds());
    }

    private static String moves(Figures.Change change) {
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
