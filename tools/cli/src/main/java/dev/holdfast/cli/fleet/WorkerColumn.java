package dev.holdfast.cli.fleet;

import dev.holdfast.cli.output.TextTable;
import dev.holdfast.fleet.ControlState;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.fleet.FleetStatus.WorkerStatus;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A column of the table of workers.
 *
 * @param always whether it is shown if it is empty for all workers
 */
record WorkerColumn(TextTable.Column column, boolean always, Function<WorkerStatus, String> text) {
    static List<WorkerColumn> shownFor(FleetStatus status) {
        return Stream.of(
                        new WorkerColumn(TextTable.Column.text("WORKER", 6), true, WorkerStatus::worker),
                        new WorkerColumn(
                                TextTable.Column.whole("UNITS", 6), true, worker -> String.valueOf(worker.units())),
                        new WorkerColumn(TextTable.Column.whole("CAPACITY", 3), false, WorkerColumn::capacity),
                        new WorkerColumn(
                                TextTable.Column.whole("WAITING", 5), true, worker -> String.valueOf(worker.waiting())),
                        new WorkerColumn(TextTable.Column.whole("LOAD", 2), false, WorkerColumn::load),
                        new WorkerColumn(TextTable.Column.text("LABELS", 4), false, WorkerColumn::labels),
                        new WorkerColumn(
                                TextTable.Column.whole("", 5), true, worker -> state(worker, status.control())))
                .filter(column -> column.always
                        || status.workers().stream()
                                .anyMatch(worker -> !column.cell(worker).isEmpty()))
                .toList();
    }

    String cell(WorkerStatus worker) {
        return text.apply(worker);
    }

    private static String capacity(WorkerStatus worker) {
        return worker.capacity() == Integer.MAX_VALUE ? "" : String.valueOf(worker.capacity());
    }

    private static String load(WorkerStatus worker) {
        return worker.load().stream()
                .boxed()
                .flatMap(load ->
                        Stream.of(BigDecimal.valueOf(load).stripTrailingZeros().toPlainString()))
                .collect(Collectors.joining());
    }

    private static String labels(WorkerStatus worker) {
        return worker.labels().entrySet().stream()
                .map((Map.Entry<String, String> label) -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String state(WorkerStatus worker, ControlState control) {
        boolean isDrained = control.drained().containsKey(worker.worker());
        return (worker.leaving() ? "leaving" : isDrained ? "draining" : "")
                + (worker.followsOrders() ? "" : worker.leaving() || isDrained ? ", older" : "older");
    }
}
