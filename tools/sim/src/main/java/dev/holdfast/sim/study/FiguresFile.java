package dev.holdfast.sim.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

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
        List<Object> cells = new ArrayList<>(List.of(
                method.name().toLowerCase(Locale.ROOT),
                measured.workers(),
                measured.units(),
                measured.rest().writes(),
                measured.rest().reads(),
                measured.rest().pages(),
                measured.cold().toMillis()));
        for (DeploymentFigures.Change change :
                List.of(measured.loss(), measured.growth(), measured.plannerLoss(), measured.commandLoss())) {
            cells.addAll(List.of(
                    change.recovered().toMillis(), change.balanced().toMillis(), change.moves(), change.least()));
        }
        return cells.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private void read(String line) {
        String[] cells = line.split(",", -1);
        long[] numbers = Arrays.stream(cells).skip(1).mapToLong(Long::parseLong).toArray();
        put(
                SpreadingMethod.valueOf(cells[0].toUpperCase(Locale.ROOT)),
                new DeploymentFigures(
                        (int) numbers[0],
                        (int) numbers[1],
                        new RequestCount.Count(numbers[2], numbers[3], numbers[4]),
                        Duration.ofMillis(numbers[5]),
                        change(numbers, 6),
                        change(numbers, 10),
                        change(numbers, 14),
                        change(numbers, 18)));
    }

    private static DeploymentFigures.Change change(long[] numbers, int from) {
        return new DeploymentFigures.Change(
                Duration.ofMillis(numbers[from]),
                Duration.ofMillis(numbers[from + 1]),
                numbers[from + 2],
                numbers[from + 3]);
    }
}
