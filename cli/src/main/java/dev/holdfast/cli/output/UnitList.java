package dev.holdfast.cli.output;

import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.fleet.UnitStatus;
import dev.holdfast.model.State;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Units, a line each. */
public final class UnitList {
    /** More than anybody reads; a table is kept in memory to be laid out. */
    private static final int ROWS = 10_000;

    private UnitList() {}

    public static void table(Stream<UnitStatus> units, Console console) {
        List<UnitStatus> found = units.limit(ROWS).toList();
        if (found.isEmpty()) {
            console.note("no such units");
            return;
        }
        Table table = new Table(
                Column.text("UNIT", 5),
                Column.whole("STATUS", 5),
                Column.text("WORKER", 4),
                Column.whole("FENCE", 0),
                Column.text("ATTRIBUTES", 1));
        found.forEach(unit -> table.row(cells(unit)));
        int width = console.terminal().isOut() ? console.width() : Integer.MAX_VALUE;
        table.lines(width).forEach(console.out()::println);
        if (found.size() == ROWS) {
            console.note("only " + ROWS + " are shown; --json shows all");
        }
    }

    private static String[] cells(UnitStatus unit) {
        return new String[] {
            unit.name(),
            state(unit) + (unit.deleting() ? ", deleting" : ""),
            unit.state() == State.FREE ? "-" : unit.worker().orElse("-"),
            unit.fence().toString(),
            StatusText.attributes(unit.attributes().asMap())
        };
    }

    private static String state(UnitStatus unit) {
        return unit.state().name().toLowerCase(Locale.ROOT);
    }

    /** An array, written as it comes. */
    public static void json(Stream<UnitStatus> units, PrintStream out) {
        String[] separator = {"["};
        units.forEachOrdered(unit -> {
            out.print(separator[0] + json(unit));
            separator[0] = ",\n";
        });
        out.println(separator[0].equals("[") ? "[]" : "]");
    }

    private static String json(UnitStatus unit) {
        Json json = new Json().beginObject();
        json.field("unit", unit.name())
                .field("state", state(unit))
                .field("worker", unit.worker().orElse(null))
                .field("fence", unit.fence().value())
                .field("deleting", unit.deleting())
                .name("attributes");
        StatusJson.attributes(json, unit.attributes());
        return json.endObject().toString();
    }
}
