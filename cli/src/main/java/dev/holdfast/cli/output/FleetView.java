package dev.holdfast.cli.output;

import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.fleet.FleetStatus.UnitTotals;
import dev.holdfast.fleet.FleetStatus.WorkerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How a fleet is, for people and as JSON. */
public final class FleetView {
    private static final int LABEL = 9;

    private FleetView() {}

    /** Facts, then a line per worker. */
    public static List<String> lines(FleetStatus status, int width) {
        List<String> lines = new ArrayList<>();
        add(lines, "fleet", status.fleet());
        add(lines, "planner", planner(status));
        UnitTotals units = status.units();
        add(
                lines,
                "units",
                units.total() + ": " + units.held() + " held, " + units.done() + " done, " + units.unplaced()
                        + " without a place, " + status.moves() + " on the move");
        add(lines, "workers", String.valueOf(status.workers().size()));
        if (!status.workers().isEmpty()) {
            Table table = new Table(
                    Column.text("WORKER", 5),
                    Column.whole("UNITS", 5),
                    Column.whole("WAITING", 4),
                    Column.whole("", 4));
            status.workers().forEach(worker -> table.row(cells(worker)));
            lines.add("");
            lines.addAll(table.lines(width));
        }
        return lines;
    }

    private static void add(List<String> lines, String label, String value) {
        lines.add(Columns.padded(label, LABEL) + Visible.line(value));
    }

    private static String planner(FleetStatus status) {
        String age =
                status.planAge().map(it -> ", planned " + Spans.of(it) + " ago").orElse("");
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

    /** On one line. */
    public static String json(FleetStatus status) {
        Json json = new Json().beginObject();
        json.field("fleet", status.fleet());
        json.field("planner", status.planner().orElse(null));
        json.name("planAgeMillis")
                .literal(status.planAge()
                        .map(Duration::toMillis)
                        .map(String::valueOf)
                        .orElse("null"));
        json.name("workers").beginArray();
        for (WorkerStatus worker : status.workers()) {
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
