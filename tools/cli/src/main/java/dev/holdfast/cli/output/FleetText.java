package dev.holdfast.cli.output;

import dev.holdfast.cli.output.TextTable.Column;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.fleet.FleetStatus.UnitTotals;
import dev.holdfast.fleet.FleetStatus.WorkerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Status of a fleet as text and as JSON. */
public final class FleetText {
    private static final int LABEL = 9;

    private FleetText() {}

    /** Summary lines, then a table with a line per worker. */
    public static List<String> lines(FleetStatus status, int width) {
        List<String> lines = new ArrayList<>();
        add(lines, "fleet", status.fleet());
        add(lines, "planner", planner(status));
        UnitTotals units = status.units();
        add(
                lines,
                "units",
                units.total() + ": " + units.held() + " held, " + units.done() + " done, " + units.unplaced()
                        + " unassigned, " + status.moves() + " moving");
        add(lines, "workers", String.valueOf(status.workers().size()));
        if (!status.workers().isEmpty()) {
            TextTable textTable = new TextTable(
                    Column.text("WORKER", 5),
                    Column.whole("UNITS", 5),
                    Column.whole("WAITING", 4),
                    Column.whole("", 4));
            status.workers().forEach(worker -> textTable.row(cells(worker)));
            lines.add("");
            lines.addAll(textTable.lines(width));
        }
        return lines;
    }

    private static void add(List<String> lines, String label, String value) {
        lines.add(ColumnWidth.padded(label, LABEL) + VisibleText.line(value));
    }

    private static String planner(FleetStatus status) {
        String age = status.planAge()
                .map(it -> ", planned " + DurationSpan.of(it) + " ago")
                .orElse("");
        return status.planner().map(name -> name + age).orElse("none");
    }

    private static String[] cells(WorkerStatus worker) {
        return new String[] {
            worker.worker(),
            String.valueOf(worker.units()),
            String.valueOf(worker.waiting()),
            worker.leaving() ? "leaving" : ""
        };
    }

    /** JSON on one line. */
    public static String json(FleetStatus status) {
        JsonWriter jsonWriter = new JsonWriter().beginObject();
        jsonWriter.field("fleet", status.fleet());
        jsonWriter.field("planner", status.planner().orElse(null));
        jsonWriter
                .name("planAgeMillis")
                .literal(status.planAge()
                        .map(Duration::toMillis)
                        .map(String::valueOf)
                        .orElse("null"));
        jsonWriter.name("workers").beginArray();
        for (WorkerStatus worker : status.workers()) {
            jsonWriter
                    .beginObject()
                    .field("worker", worker.worker())
                    .field("units", worker.units())
                    .field("waiting", worker.waiting())
                    .field("leaving", worker.leaving())
                    .endObject();
        }
        jsonWriter.endArray().field("moves", status.moves());
        jsonWriter
                .name("units")
                .beginObject()
                .field("total", status.units().total())
                .field("held", status.units().held())
                .field("done", status.units().done())
                .field("unplaced", status.units().unplaced())
                .endObject();
        return jsonWriter.endObject().toString();
    }
}
