package dev.holdfast.sim.fleet;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.sim.world.SimStore;
import dev.holdfast.store.Entry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The orders of a simulated fleet and the plan that follows them, as they are in the store at this moment. */
record StoredOrders(SimStore store, String fleet) {
    private String control() {
        return "fleet/" + fleet + "/control";
    }

    private Stream<Entry> inForce(String section) {
        return store.all(control()).stream()
                .filter(entry -> entry.key().namespace().equals(control() + section))
                .filter(entry -> entry.attributes().bool("~control").orElse(false));
    }

    private Set<String> names(String section) {
        return inForce(section).map(entry -> entry.key().name()).collect(Collectors.toSet());
    }

    Set<String> paused() {
        return names("/paused");
    }

    Set<String> drained() {
        return names("/drained");
    }

    boolean isFrozen() {
        return inForce("").anyMatch(entry -> entry.key().name().equals("freeze"));
    }

    /** The workers that units were moved to. */
    Map<String, String> moves() {
        Map<String, String> moves = new TreeMap<>();
        inForce("/moves")
                .forEach(entry -> moves.put(
                        entry.key().name(), entry.attributes().text("worker").orElse("")));
        return moves;
    }

    boolean isEmpty() {
        return store.all(control()).stream()
                .noneMatch(entry -> entry.attributes().bool("~control").orElse(false));
    }

    /**
     * Whether the hand-over after the last order has completed: no order is being given, a planner has seen all of them,
     * every worker that is not known to be dead follows its newest assignment, and none waits for a unit.
     */
    boolean isFollowed() {
        Entry mark = store.current(Key.of("fleet/" + fleet, "control"));
        Entry planner = store.current(Key.of("fleet/" + fleet, "planner"));
        boolean isSeen = planner != null
                && planner.state() == LeaseState.HELD
                && mark != null
                && mark.state() != LeaseState.HELD
                && number(planner.attributes(), "orders") == mark.fence().value();
        return isSeen && anchors().stream().allMatch(this::followsAssignment);
    }

    private List<Entry> anchors() {
        return store.all("~anchors/" + fleet).stream()
                .filter(entry -> entry.state() == LeaseState.HELD)
                .toList();
    }

    private boolean followsAssignment(Entry anchor) {
        Entry sheet = sheet(anchor.key().name());
        if (sheet == null) {
            return false;
        }
        long fence = number(sheet.attributes(), "fence");
        long applied = number(anchor.attributes(), "fence");
        boolean isNewest = applied > fence
                || (applied == fence && number(anchor.attributes(), "number") >= number(sheet.attributes(), "number"));
        return isNewest && number(anchor.attributes(), "waiting") == 0;
    }

    /** Whether a worker is joined that does not state that it follows orders. */
    boolean hasOldWorker() {
        return anchors().stream()
                .map(Entry::attributes)
                .anyMatch(report -> report.get("capacity").isPresent()
                        && report.get("speaks").isEmpty());
    }

    boolean isOrder(@Nullable Entry entry) {
        return entry != null
                && entry.key().namespace().startsWith(control())
                && entry.attributes().bool("~control").orElse(false);
    }

    private @Nullable Entry sheet(String worker) {
        return store.current(Key.of("fleet/" + fleet + "/assigned", worker));
    }

    /** Whether the planner or a worker may still give this unit to a worker, or a worker holds it. */
    boolean isInHands(String unit) {
        Entry entry = store.current(Key.of("fleet/" + fleet + "/units", unit));
        boolean isHeld = entry != null && entry.state() == LeaseState.HELD;
        return isHeld
                || store.all("fleet/" + fleet + "/assigned").stream()
                        .anyMatch(sheet -> sheet.attributes()
                                .get("units")
                                .filter(units -> contains(units, unit))
                                .isPresent());
    }

    private static boolean contains(AttributeValue units, String unit) {
        return units instanceof AttributeValue.ListOf list && list.values().contains(AttributeValue.of(unit));
    }

    private static long number(Attributes attributes, String name) {
        return attributes.number(name).map(Number::longValue).orElse(0L);
    }
}
