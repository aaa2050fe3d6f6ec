package dev.holdfast.cli.fleet;

import dev.holdfast.LeaseState;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.LeaseStatusText;
import dev.holdfast.cli.output.TextTable;
import dev.holdfast.fleet.UnitStatus;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** List of units as a table or as JSON. */
public final class UnitListText {
    /** More rows than a person reads. The limit is needed because the layout keeps the whole table in memory. */
    private static final int ROWS = 10_000;

    private UnitListText() {}

    public static void table(Stream<UnitStatus> units, CommandConsole console) {
        List<UnitStatus> found = units.limit(ROWS).toList();
        if (found.isEmpty()) {
            console.note("no matching units");
            return;
        }
        TextTable table = new TextTable(
                TextTable.Column.text("UNIT", 5),
                TextTable.Column.whole("STATUS", 5),
                TextTable.Column.text("WORKER", 4),
                TextTable.Column.whole("FENCE", 0),
                TextTable.Column.text("ATTRIBUTES", 1));
        found.forEach(unit -> table.row(cells(unit)));
        table.lines(console.resultWidth()).forEach(console::print);
        if (found.size() == ROWS) {
            console.note("only " + ROWS + " units are shown; --json shows all");
        }
    }

    private static String[] cells(UnitStatus unit) {
        return new String[] {
            unit.name(),
            state(unit) + (unit.deleting() ? ", deleting" : ""),
            unit.state() == LeaseState.FREE ? "-" : unit.worker().orElse("-"),
            unit.fence().toString(),
            LeaseStatusText.attributes(unit.attributes().asMap())
        };
    }

    private static String state(UnitStatus unit) {
        return unit.state().name().toLowerCase(Locale.ROOT);
    }

    /** Prints a JSON array, one unit at a time. */
    public static void json(Stream<UnitStatus> units, PrintStream out) {
        String[] separator = {"["};
        units.forEachOrdered(unit -> {
            out.print(separator[0] + json(unit));
            separator[0] = ",\n";
        });
        out.println(separator[0].equals("[") ? "[]" : "]");
    }

    private static String json(UnitStatus unit) {
        return new JsonWriter()
                .beginObject()
                .field("unit", unit.name())
                .field("state", state(unit))
                .field("worker", unit.worker().orElse(null))
                .field("fence", unit.fence().value())
                .field("deleting", unit.deleting())
                .name("attributes")
                .attributes(unit.attributes())
                .endObject()
                .toString();
    }
}
