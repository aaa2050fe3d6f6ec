package dev.holdfast.fleet.internal.worker;

import dev.holdfast.fleet.RevokeReason;
import dev.holdfast.fleet.Unit;
import dev.holdfast.fleet.internal.execution.CallbackRunner;
import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.reports.WorkerReport;
import dev.holdfast.fleet.internal.units.WorkerClient;
import dev.holdfast.support.ArgumentCheck;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The slots of a worker, one per unit. Confined to the worker's {@link WorkerStepLoop}, except {@link #held}. */
public final class UnitSlotTable implements UnitSlot.SlotRegistry {
    private final UnitSlot.Surroundings around;
    private final Map<String, UnitSlot> all = new ConcurrentSkipListMap<>();
    private boolean reportRequested;

    public UnitSlotTable(
            WorkerClient client, UnitLeaseSource source, CallbackRunner callbacks, WorkerStepLoop stepLoop) {
        this.around = new UnitSlot.Surroundings(client, source, callbacks, stepLoop, this);
    }

    /** Makes {@code wanted} the units of this worker: stops all others, then starts the new ones. */
    void assignOnly(Collection<String> wanted, RevokeReason otherwise) {
        Set<String> names = new LinkedHashSet<>(wanted);
        all.values().stream()
                .filter(unitSlot -> !names.contains(unitSlot.name()))
                .forEach(unitSlot -> unitSlot.unassign(otherwise));
        names.forEach(this::assign);
    }

    public void assign(String name) {
        all.computeIfAbsent(name, it -> new UnitSlot(it, around)).assign();
    }

    public void stopAll(RevokeReason reason) {
        assignOnly(List.of(), reason);
    }

    /** Stops all work for now; the assigned units stay assigned. */
    void interruptAll(RevokeReason reason) {
        all.values().forEach(unitSlot -> unitSlot.stop(reason));
    }

    void acquireIfDue(String name) {
        UnitSlot unitSlot = all.get(name);
        if (unitSlot != null) {
            unitSlot.acquireIfDue();
        }
    }

    void acquireIfDue() {
        all.values().forEach(UnitSlot::acquireIfDue);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Whether no unit is held or being acquired. Units in a back-off need not be handed over. */
    boolean allIdle() {
        return all.values().stream().allMatch(UnitSlot::isIdle);
    }

    /** Whether work continues on any unit that has not been released. */
    boolean anyAtWork() {
        return all.values().stream().anyMatch(UnitSlot::isAtWork);
    }

    public int size() {
        return all.size();
    }

    public boolean has(String name) {
        return all.containsKey(name);
    }

    /** Checks each held unit that a listing does not show as held by this worker. */
    public void checkHeld(Predicate<String> isListedAsOurs) {
        all.values().stream()
                .filter(unitSlot -> !isListedAsOurs.test(unitSlot.name()))
                .forEach(UnitSlot::checkHeld);
    }

    /** Drops the units that are neither held, nor being acquired, nor in a back-off. */
    public void dropIdle(RevokeReason reason) {
        all.values().stream()
                .filter(unitSlot -> unitSlot.isIdle() && !unitSlot.isBackingOff())
                .forEach(unitSlot -> unitSlot.unassign(reason));
    }

    /** Returns a local view of the units held now, without any that are no longer valid. Any thread may ask. */
    public List<Unit> held() {
        return all.values().stream()
                .flatMap(unitSlot -> Stream.ofNullable(unitSlot.unit()))
                .filter(Unit::isHeld)
                .<Unit>map(unit -> unit)
                .toList();
    }

    int heldCount() {
        return (int) all.values().stream()
                .filter(unitSlot -> unitSlot.unit() != null)
                .count();
    }

    int waiting() {
        return (int) all.values().stream().filter(UnitSlot::isWaiting).count();
    }

    List<String> finished() {
        return names(UnitSlot::isFinished);
    }

    List<String> failed() {
        return names(UnitSlot::hasFailed);
    }

    private List<String> names(Predicate<UnitSlot> which) {
        List<String> names = new ArrayList<>();
        int bytes = 0;
        for (UnitSlot unitSlot : all.values()) {
            if (which.test(unitSlot)) {
                bytes += ArgumentCheck.utf8Length(unitSlot.name());
                if (names.size() == WorkerReport.NAMES_MAX || bytes > WorkerReport.NAMES_BYTES_MAX) {
                    break;
                }
                names.add(unitSlot.name());
            }
        }
        return names;
    }

    /** Returns whether a slot has requested a report since the last call. */
    boolean takeReportRequest() {
        boolean requested = reportRequested;
        reportRequested = false;
        return requested;
    }

    @Override
    public void requestReport() {
        reportRequested = true;
    }

    @Override
    public void remove(UnitSlot unitSlot) {
        all.remove(unitSlot.name(), unitSlot);
    }
}
