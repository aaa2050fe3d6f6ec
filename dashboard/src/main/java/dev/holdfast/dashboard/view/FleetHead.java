package dev.holdfast.dashboard.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.fleet.ControlState;
import dev.holdfast.fleet.ControlState.ControlNote;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.fleet.FleetStatus.WorkerStatus;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The status of a fleet as JSON. */
final class FleetHead {
    /** The orders that one message lists. A fleet with more is in trouble of another kind. */
    private static final int MOST_ORDERS = 200;

    private FleetHead() {}

    static void add(ObjectNode head, FleetStatus status) {
        head.put("fleet", status.fleet());
        head.put("planner", status.planner().orElse(null));
        head.put("planAge", status.planAge().map(ViewJson::seconds).orElse(null));
        head.putObject("units")
                .put("total", status.units().total())
                .put("held", status.units().held())
                .put("done", status.units().done())
                .put("unplaced", status.units().unplaced())
                .put("paused", status.units().paused())
                .put("waiting", status.units().waiting());
        head.put("moves", status.moves());
        head.set("frozen", status.control().freeze().map(FleetHead::note).orElse(null));
        ArrayNode old = head.putArray("oldWorkers");
        status.oldWorkers().forEach(old::add);
        ArrayNode workers = head.putArray("workers");
        status.workers()
                .forEach(worker -> worker(
                        workers.addObject(), worker, status.control().drained().get(worker.worker())));
        ArrayNode unplaced = head.putArray("unplaced");
        status.unplaced().forEach(units -> {
            ObjectNode json = unplaced.addObject().put("text", units.text()).put("count", units.count());
            ArrayNode names = json.putArray("names");
            units.names().forEach(names::add);
        });
        orders(head.putObject("orders"), status.control());
    }

    private static void worker(ObjectNode json, WorkerStatus worker, @Nullable ControlNote drained) {
        json.put("worker", worker.worker())
                .put("units", worker.units())
                .put("waiting", worker.waiting())
                .put("leaving", worker.leaving());
        if (worker.capacity() == Integer.MAX_VALUE) {
            json.putNull("capacity");
        } else {
            json.put("capacity", worker.capacity());
        }
        ObjectNode labels = json.putObject("labels");
        worker.labels().forEach(labels::put);
        if (worker.load().isPresent()) {
            json.put("load", worker.load().getAsDouble());
        } else {
            json.putNull("load");
        }
        json.set("draining", drained == null ? null : note(drained));
    }

    static ObjectNode note(ControlNote note) {
        return ViewJson.object()
                .put("by", note.by())
                .put("at", ViewJson.time(note.at()))
                .put("reason", note.reason());
    }

    private static void orders(ObjectNode json, ControlState control) {
        ArrayNode paused = json.putArray("paused");
        ArrayNode drained = json.putArray("drained");
        ArrayNode moved = json.putArray("moved");
        int left = MOST_ORDERS;
        left = add(drained, "worker", control.drained(), left);
        left = add(paused, "unit", control.paused(), left);
        for (Map.Entry<String, ControlState.UnitMove> move : new TreeMap<>(control.moves()).entrySet()) {
            if (left-- > 0) {
                moved.add(note(move.getValue().note())
                        .put("unit", move.getKey())
                        .put("worker", move.getValue().worker()));
            }
        }
        int all = control.drained().size()
                + control.paused().size()
                + control.moves().size();
        json.put("more", Math.max(0, all - MOST_ORDERS));
    }

    private static int add(ArrayNode to, String field, Map<String, ControlNote> notes, int most) {
        new TreeMap<>(notes)
                .entrySet().stream()
                        .limit(Math.max(0, most))
                        .forEach(it -> to.add(note(it.getValue()).put(field, it.getKey())));
        return most - notes.size();
    }
}
