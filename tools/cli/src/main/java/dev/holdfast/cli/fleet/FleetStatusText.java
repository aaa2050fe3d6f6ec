package dev.holdfast.cli.fleet;

import dev.holdfast.cli.output.ColumnWidth;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.TextTable;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.support.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Status of a fleet as text and as JSON. */
public final class FleetStatusText {
    private static final int LABEL = 9;

    private FleetStatusText() {}

    /** Summary lines, then a table with a line per worker. */
    public static List<String> lines(FleetStatus status, Instant now, int width) {
        List<String> lines = new ArrayList<>();
        add(lines, "fleet", status.fleet());
        add(lines, "planner", planner(status));
        FleetStatus.UnitTotals units = status.units();
        add(
                lines,
                "units",
                units.total() + ": " + units.held() + " held, " + units.done() + " done, " + unassigned(units)
                        + " unassigned, " + status.moves() + " moving"
                        + counted(units.paused(), " paused")
                        + counted(units.waiting(), " waiting for others"));
        OrderListText.lines(status, now, (label, text) -> add(lines, label, text));
        add(lines, "workers", String.valueOf(status.workers().size()));
        if (!status.workers().isEmpty()) {
            List<WorkerColumn> columns = WorkerColumn.shownFor(status);
            TextTable table =
                    new TextTable(columns.stream().map(WorkerColumn::column).toArray(TextTable.Column[]::new));
            status.workers()
                    .forEach(worker -> table.row(
                            columns.stream().map(column -> column.cell(worker)).toArray(String[]::new)));
            lines.add("");
            lines.addAll(table.lines(width));
        }
        return lines;
    }

    static String empty(FleetStatus status) {
        return "'" + VisibleText.shortened(status.fleet()) + "' has neither units nor workers";
    }

    private static void add(List<String> lines, String label, String value) {
        lines.add(ColumnWidth.padded(label, LABEL) + VisibleText.line(value));
    }

    private static String planner(FleetStatus status) {
        String age = status.planAge()
                .map(it -> ", planned " + DurationText.rounded(it) + " ago")
                .orElse("");
        return status.planner().map(name -> name + age).orElse("none");
    }

    /** Without the units that a draining worker keeps because no other can take them: these are held. */
    private static long unassigned(FleetStatus.UnitTotals units) {
        long idle = units.total() - units.held() - units.done() - units.paused() - units.waiting();
        return Math.max(0, Math.min(units.unplaced(), idle));
    }

    private static String counted(long count, String text) {
        return count == 0 ? "" : ", " + count + text;
    }

    /** JSON on one line. */
    public static String json(FleetStatus status) {
        JsonWriter json = new JsonWriter().beginObject();
        json.field("fleet", status.fleet());
        json.field("planner", status.planner().orElse(null));
        json.name("planAgeMillis")
                .literal(status.planAge()
                        .map(Duration::toMillis)
                        .map(String::valueOf)
                        .orElse("null"));
        json.name("workers").beginArray();
        for (FleetStatus.WorkerStatus worker : status.workers()) {
            json.beginObject()
                    .field("worker", worker.worker())
                    .field("units", worker.units())
                    .field("waiting", worker.waiting())
                    .field("leaving", worker.leaving());
            json.name("capacity").literal(worker.capacity() == Integer.MAX_VALUE ? "null" : worker.capacity());
            json.name("load").literal(worker.load().isPresent() ? worker.load().getAsDouble() : "null");
            json.name("labels").beginObject();
            worker.labels().forEach(json::field);
            json.endObject().endObject();
        }
        json.endArray().field("moves", status.moves());
        json.name("units")
                .beginObject()
                .field("total", status.units().total())
                .field("held", status.units().held())
                .field("done", status.units().done())
                .field("unplaced", status.units().unplaced())
                .field("paused", status.units().paused())
                .field("waiting", status.units().waiting())
                .endObject();
        OrderListText.json(status, json);
        return json.endObject().toString();
    }
}
