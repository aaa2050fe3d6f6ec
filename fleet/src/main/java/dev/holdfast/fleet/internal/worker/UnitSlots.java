package dev.holdfast.fleet.internal.worker;

import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.internal.planner.WorkerReport;
import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.support.ArgumentCheck;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The slots of a worker, one per unit. Confined to the worker's {@link SerialExecutor}. */
final class UnitSlots {
    private final UnitSlotServices unitSlotServices;
    private final Map<String, UnitSlot> all = new LinkedHashMap<>();

    UnitSlots(UnitSlotServices unitSlotServices) {
        this.unitSlotServices = unitSlotServices;
    }

    /** Makes {@code wanted} the units of this worker: stops all others, then starts the new ones. */
    void assignOnly(Collection<String> wanted, RevokeReason otherwise) {
        Set<String> names = new LinkedHashSet<>(wanted);
        List.copyOf(all.values()).stream()
                .filter(unitSlot -> !names.contains(unitSlot.name()))
                .forEach(unitSlot -> unitSlot.unassign(otherwise));
        names.forEach(this::assign);
    }

    void assign(String name) {
        UnitSlot unitSlot = all.computeIfAbsent(name, it -> new UnitSlot(it, unitSlotServices));
        if (unitSlot.isFinished()) {
            unitSlot.acquireAgain();
        }
        unitSlot.assign();
    }

    void stopAll(RevokeReason reason) {
        assignOnly(List.of(), reason);
    }

    /** Stops all work for now; the assigned units stay assigned. */
    void interruptAll(RevokeReason reason) {
        List.copyOf(all.values()).forEach(unitSlot -> unitSlot.interrupt(reason));
    }

    void acquireIfDue(String name) {
        UnitSlot unitSlot = all.get(name);
        if (unitSlot != null) {
            unitSlot.acquireIfDue();
        }
    }

    void acquireIfDue() {
        List.copyOf(all.values()).forEach(UnitSlot::acquireIfDue);
    }

    void forget(UnitSlot unitSlot) {
        all.remove(unitSlot.name(), unitSlot);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Whether no unit is held or being acquired. Units in a back-off need not be handed over. */
    boolean allIdle() {
        return all.values().stream().allMatch(UnitSlot::isEmpty);
    }

    /** Whether work continues on any unit that has not been released. */
    boolean anyAtWork() {
        return all.values().stream().anyMatch(UnitSlot::isAtWork);
    }

    int size() {
        return all.size();
    }

    boolean has(String name) {
        return all.containsKey(name);
    }

    /** Checks each held unit that a listing does not show as held by this worker. */
    void checkHeld(Predicate<String> isListedAsOurs) {
        List.copyOf(all.values()).stream()
                .filter(unitSlot -> !isListedAsOurs.test(unitSlot.name()))
                .forEach(UnitSlot::checkHeld);
    }

    int waiting() {
        return (int) all.values().stream().filter(UnitSlot::isWaiting).count();
    }

    List<String> finished() {
        return names(all.values().stream().filter(UnitSlot::isFinished).toList());
    }

    List<String> failed() {
        return names(all.values().stream().filter(UnitSlot::hasFailed).toList());
    }

    private static List<String> names(List<UnitSlot> slots) {
        List<String> names = new ArrayList<>();
        int bytes = 0;
        for (UnitSlot unitSlot : slots) {
            bytes += ArgumentCheck.utf8Length(unitSlot.name());
            if (names.size() == WorkerReport.NAMES_MAX || bytes > WorkerReport.NAMES_BYTES_MAX) {
                break;
            }
            names.add(unitSlot.name());
        }
        return names;
    }

    /** Drops the units that are neither held, nor being acquired, nor in a back-off. */
    void dropIdle(RevokeReason reason) {
        List.copyOf(all.values()).stream()
                .filter(unitSlot -> unitSlot.isEmpty() && !unitSlot.isBackingOff())
                .forEach(unitSlot -> unitSlot.unassign(reason));
    }
}
