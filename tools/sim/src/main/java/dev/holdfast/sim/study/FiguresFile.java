package dev.holdfast.sim.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** A file of measurements, one per line, for plots; existing lines are not measured again. */
final class FiguresFile {
    private static final String HEADING =
            "way,workers,units,rest_writes,rest_reads,rest_pages,cold_ms,change_ms_ms_moves_least: loss,,,,growth,,,,"
                    + "planner_loss,,,,command_loss,,,";

    private final Path file;
    private final TreeMap<SpreadingMethod, TreeMap<Integer, DeploymentFigures>> figures = new TreeMap<>();

    FiguresFile(Path file) throws IOException {
        this.file = file;
        if (Files.exists(file)) {
            Files.readAllLines(file).stream().skip(1).forEach(this::read);
        } else {
            Files.writeString(file, HEADING + "\n");
        }
    }

    boolean has(SpreadingMethod method, int workers) {
        return figures.containsKey(method) && figures.get(method).containsKey(workers);
    }

    void add(SpreadingMethod method, DeploymentFigures measured) throws IOException {
        put(method, measured);
        Files.writeString(file, write(method, measured) + "\n", StandardOpenOption.APPEND);
    }

    /** The measurements of a method, ordered by the number of workers. */
    List<DeploymentFigures> of(SpreadingMethod method) {
        return List.copyOf(figures.getOrDefault(method, new TreeMap<>()).values());
    }

    private void put(SpreadingMethod method, DeploymentFigures measured) {
        figures.computeIfAbsent(method, it -> new TreeMap<>()).put(measured.workers(), measured);
    }

    private static String write(SpreadingMethod method, DeploymentFigures measured) {
        List<String> cells = new ArrayList<>(List.of(method.name().toLowerCase(Locale.ROOT)));
        List.of(
                        (long) measured.workers(),
                        (long) measured.units(),
                        measured.rest().writes(),
                        measured.rest().reads(),
                        measured.rest().pages(),
                        measured.cold().toMillis())
                .forEach(number -> cells.add(number.toString()));
        for (DeploymentFigures.Change change :
                List.of(measured.loss(), measured.growth(), measured.plannerLoss(), measured.commandLoss())) {
            List.of(change.recovered().toMillis(), change.balanced().toMillis(), change.moves(), change.least())
                    .forEach(number -> cells.add(number.toString()));
        }
        return String.join(",", cells);
    }

    private void read(String line) {
        String[] cells = line.split(",", -1);
        long[] numbers = new long[cells.length];
        for (int i = 1; i < cells.length; i++) {
            numbers[i] = Long.parseLong(cells[i]);
        }
        put(
                SpreadingMethod.valueOf(cells[0].toUpperCase(Locale.ROOT)),
                new DeploymentFigures(
                        (int) numbers[1],
                        (int) numbers[2],
                        new RequestCount.Count(numbers[3], numbers[4], numbers[5]),
                        Duration.ofMillis(numbers[6]),
                        change(numbers, 7),
                        change(numbers, 11),
                        change(numbers, 15),
                        change(numbers, 19)));
    }

    private static DeploymentFigures.Change change(long[] numbers, int from) {
        return new DeploymentFigures.Change(
                Duration.ofMillis(numbers[from]),
                Duration.ofMillis(numbers[from + 1]),
                numbers[from + 2],
                numbers[from + 3]);
    }
}
