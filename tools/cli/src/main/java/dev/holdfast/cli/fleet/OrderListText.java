package dev.holdfast.cli.fleet;

import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.fleet.ControlState;
import dev.holdfast.fleet.ControlState.ControlNote;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.support.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The orders to a fleet, and why units have no worker, as text and as JSON. */
final class OrderListText {
    /** More lines than a person reads; {@code --json} has all. */
    private static final int ROWS = 10;

    private static final int NAMES = 5;

    private OrderListText() {}

    /** Passes the lines to {@code lines}, each as a label and a text. */
    static void lines(FleetStatus status, Instant now, BiConsumer<String, String> lines) {
        ControlState control = status.control();
        control.freeze().ifPresent(note -> lines.accept("frozen", origin(note, now)));
        rows("paused", control.paused(), (unit, note) -> unit + ", " + origin(note, now), lines);
        rows("drained", control.drained(), (worker, note) -> worker + ", " + origin(note, now), lines);
        rows(
                "moved",
                control.moves(),
                (unit, move) -> unit + " to " + move.worker() + ", " + origin(move.note(), now),
                lines);
        status.unplaced()
                .forEach(units -> lines.accept("unplaced", units.count() + ": " + units.text() + names(units)));
        if (!control.isEmpty() && !status.oldWorkers().isEmpty()) {
            lines.accept(
                    "warning",
                    "workers of an older version are joined, and ignore orders when they plan: "
                            + String.join(", ", status.oldWorkers()));
        }
    }

    private interface RowText<T> {
        String of(String name, T order);
    }

    private static <T> void rows(
            String label, Map<String, T> orders, RowText<T> text, BiConsumer<String, String> lines) {
        new TreeMap<>(orders)
                .entrySet().stream()
                        .limit(ROWS)
                        .forEach(order -> lines.accept(label, text.of(order.getKey(), order.getValue())));
        if (orders.size() > ROWS) {
            lines.accept(label, "and " + (orders.size() - ROWS) + " more; --json shows all");
        }
    }

    private static String origin(ControlNote note, Instant now) {
        Duration age = Duration.between(note.at(), now);
        String since = age.isNegative() ? "now" : DurationText.rounded(age) + " ago";
        return since + " by " + note.by() + (note.reason().isEmpty() ? "" : ": " + note.reason());
    }

    private static String names(FleetStatus.UnplacedUnits units) {
        if (units.names().isEmpty()) {
            return "";
        }
        boolean isCut = units.count() > Math.min(NAMES, units.names().size());
        return " (" + String.join(", ", units.names().stream().limit(NAMES).toList()) + (isCut ? ", ..." : "") + ")";
    }

    /** Adds the fields to an object. */
    static void json(FleetStatus status, JsonWriter json) {
        json.name("orders").beginObject();
        json.name("freeze");
        status.control().freeze().ifPresentOrElse(note -> note(json, note), () -> json.literal("null"));
        list(json, "paused", "unit", status.control().paused());
        list(json, "drained", "worker", status.control().drained());
        json.name("moved").beginArray();
        new TreeMap<>(status.control().moves()).forEach((unit, move) -> {
            json.beginObject().field("unit", unit).field("worker", move.worker());
            fields(json, move.note()).endObject();
        });
        json.endArray().endObject();
        json.name("unplaced").beginArray();
        status.unplaced().forEach(units -> {
            json.beginObject()
                    .field("reason", units.reason().name().toLowerCase(Locale.ROOT))
                    .field("count", units.count())
                    .name("units")
                    .beginArray();
            units.names().forEach(json::value);
            json.endArray();
            missing(units, json);
            json.endObject();
        });
        json.endArray();
        json.name("oldWorkers").beginArray();
        status.oldWorkers().forEach(json::value);
        json.endArray();
    }

    private static void missing(FleetStatus.UnplacedUnits units, JsonWriter json) {
        if (!units.missing().isEmpty()) {
            json.name("labels").beginObject();
            units.missing().accepted().forEach((label, values) -> {
                json.name(label).beginArray();
                values.forEach(json::value);
                json.endArray();
            });
            json.endObject();
        }
    }

    private static void list(JsonWriter json, String name, String key, Map<String, ControlNote> notes) {
        json.name(name).beginArray();
        new TreeMap<>(notes).forEach((of, note) -> {
            json.beginObject().field(key, of);
            fields(json, note).endObject();
        });
        json.endArray();
    }

    private static void note(JsonWriter json, ControlNote note) {
        fields(json.beginObject(), note).endObject();
    }

    private static JsonWriter fields(JsonWriter json, ControlNote note) {
        return json.field("reason", note.reason())
                .field("by", note.by())
                .field("at", note.at().toString());
    }
}
