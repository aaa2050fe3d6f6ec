package dev.holdfast.cli.fleet;

import dev.holdfast.cli.output.ColumnWidth;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.TextTable;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Status of a fleet as text and as JSON. */
public final class FleetStatusText {
    private static final int LABEL = 9;

    private FleetStatusText() {}

    /** Summary lines, then a table with a line per worker. */
    public static List<String> lines(FleetStatus status, int width) {
        List<String> lines = new ArrayList<>();
        add(lines, "fleet", status.fleet());
        add(lines, "planner", planner(status));
        FleetStatus.UnitTotals units = status.units();
        add(
                lines,
                "units",
                units.total() + ": " + units.held() + " held, " + units.done() + " done, " + units.unplaced()
                        + " unassigned, " + status.moves() + " moving");
        add(lines, "workers", String.valueOf(status.workers().size()));
        if (!status.workers().isEmpty()) {
            TextTable table = new TextTable(
                    TextTable.Column.text("WORKER", 5),
                    TextTable.Column.whole("UNITS", 5),
                    TextTable.Column.whole("WAITING", 4),
                    TextTable.Column.whole("", 4));
            status.workers().forEach(worker -> table.row(cells(worker)));
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

    private static String[] cells(FleetStatus.WorkerStatus worker) {
        return new String[] {
            worker.worker(),
            String.valueOf(worker.units()),
            String.valueOf(worker.waiting()),
            worker.leaving() ? "leaving" : ""
        };
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
                    .field("leaving", worker.leaving())
                    .endObject();
        }
        json.endArray().field("moves", status.moves());
        json.name("units")
                .beginObject()
                .field("total", status.units().total())
                .field("held", status.units().held())
                .field("done", status.units().done())
                .field("unplaced", status.units().unplaced())
                .endObject();
        return json.endObject().toString();
    }
}
