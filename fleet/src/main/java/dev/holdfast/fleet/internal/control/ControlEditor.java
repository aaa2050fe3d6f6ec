package dev.holdfast.fleet.internal.control;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.fleet.OldWorkersException;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.fleet.internal.units.FleetKeyLayout;
import dev.holdfast.fleet.internal.units.MarkedEdit;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.fleet.internal.units.UnitPlacement;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The editor of a fleet's orders. It holds the mark of the orders while it changes them. */
public final class ControlEditor {
    /** The term of an order's key while it is written. If the client dies meanwhile, others wait for this long. */
    private static final Duration TERM = Duration.ofSeconds(5);

    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final int REASON_BYTES = 1024;

    private final AsyncLeases leases;
    private final FleetKeyLayout layout;
    private final ControlReader reader;
    private final ControlKeys keys;
    private final @Nullable String operator;

    public ControlEditor(AsyncLeases leases, FleetKeyLayout layout) {
        this(leases, layout, null);
    }

    /** @param operator the name under which orders are given; null for the name of the client */
    public ControlEditor(AsyncLeases leases, FleetKeyLayout layout, @Nullable String operator) {
        this.operator = operator;
        this.leases = leases;
        this.layout = layout;
        this.reader = new ControlReader(leases, layout);
        this.keys = reader.keys();
    }

    public CompletionStage<Set<String>> pause(Collection<String> units, String reason) {
        Attributes order = order(true, "pause", reason);
        return current()
                .thenCompose(workers -> new UnitCheck(leases, layout).requireUnits(units))
                .thenCompose(nothing -> each(units, unit -> put(keys.paused(unit), order)));
    }

    public CompletionStage<Set<String>> resume(Collection<String> units, String reason) {
        Attributes order = order(false, "resume", reason);
        return each(units, unit -> revoke(keys.paused(unit), order));
    }

    public CompletionStage<Boolean> drain(String worker, String reason) {
        Key key = keys.drained(FleetKeyLayout.worker(worker));
        Attributes order = order(true, "drain", reason);
        return current().thenCompose(workers -> marked(() -> put(key, order)));
    }

    public CompletionStage<Boolean> undrain(String worker, String reason) {
        Key key = keys.drained(FleetKeyLayout.worker(worker));
        Attributes order = order(false, "undrain", reason);
        return marked(() -> revoke(key, order));
    }

    public CompletionStage<Boolean> freeze(String reason) {
        Attributes order = order(true, "freeze", reason);
        return current().thenCompose(workers -> marked(() -> put(keys.freeze(), order)));
    }

    public CompletionStage<Boolean> thaw(String reason) {
        Attributes order = order(false, "thaw", reason);
        return marked(() -> revoke(keys.freeze(), order));
    }

    public CompletionStage<Boolean> move(String unit, String worker, String reason) {
        Attributes order = order(true, "move", reason).with(ControlKeys.WORKER, FleetKeyLayout.worker(worker));
        return current()
                .thenCompose(workers -> {
                    if (!workers.all().contains(worker)) {
                        throw ArgumentCheck.bad(
                                "worker",
                                worker,
                                "a worker that is joined"
                                        + (workers.all().isEmpty()
                                                ? "; there are none"
                                                : ": " + String.join(", ", workers.all())));
                    }
                    return reader.note(keys.drained(worker));
                })
                .thenCompose(drained -> {
                    drained.ifPresent(note -> {
                        throw ArgumentCheck.bad("worker", worker, "a worker that is not drained");
                    });
                    return new UnitCheck(leases, layout).requireUnits(Set.of(unit));
                })
                .thenCompose(nothing -> requireLabels(unit, worker))
                .thenCompose(nothing -> marked(() -> reader.move(unit).thenCompose(before -> {
                    if (before.isEmpty()) {
                        return put(keys.move(unit), order);
                    }
                    return before.get().worker().equals(worker)
                            ? CompletableFuture.completedFuture(false)
                            : leases.delete(keys.move(unit), null).thenCompose(any -> put(keys.move(unit), order));
                })));
    }

    /** An order that moves a unit to a worker without its required labels could never be followed. */
    private CompletionStage<Void> requireLabels(String unit, String worker) {
        return leases.get(layout.unit(unit)).thenCombine(leases.get(layout.anchor(worker)), (found, anchor) -> {
            LabelConditions required = found.map(status -> UnitAttributes.requires(status.attributes()))
                    .orElse(LabelConditions.NONE);
            Map<String, String> labels = anchor.map(status -> UnitPlacement.workerLabels(status.attributes()))
                    .orElse(Map.of());
            if (!required.areMetBy(labels)) {
                throw ArgumentCheck.bad("worker", worker, "a worker with " + required + ", which the unit requires");
            }
            return null;
        });
    }

    public CompletionStage<Boolean> cancelMove(String unit, String reason) {
        Attributes order = order(false, "cancel-move", reason);
        return marked(() -> revoke(keys.move(unit), order));
    }

    /** Deletes moves that are over. A caller that may lease in the fleet may do this, as planners do. */
    public CompletionStage<Void> deleteMoves(Collection<String> units) {
        return units.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : marked(() -> ConcurrentCalls.over(units, unit -> leases.delete(keys.move(unit), null)));
    }

    /** Revokes the orders for a unit that is about to be deleted. Otherwise a new unit of this name would be paused. */
    public CompletionStage<Void> unitDeleted(String unit) {
        Attributes order = order(false, "resume", "the unit is deleted");
        return reader.note(keys.paused(unit))
                .thenCombine(reader.move(unit), (paused, move) -> paused.isPresent() || move.isPresent())
                .thenCompose(any -> any
                        ? marked(() -> revoke(keys.paused(unit), order)
                                .thenCompose(paused -> leases.delete(keys.move(unit), null))
                                .thenApply(deleted -> true))
                        : CompletableFuture.completedFuture(true))
                .thenAccept(done -> {});
    }

    /** Returns the live workers. Fails if one of them ignores orders. */
    private CompletionStage<ControlSupport.LiveWorkers> current() {
        return ControlSupport.workers(leases, layout).thenApply(workers -> {
            if (!workers.old().isEmpty()) {
                throw new OldWorkersException(layout.fleet(), workers.old());
            }
            return workers;
        });
    }

    private static Attributes order(boolean inForce, String action, String reason) {
        return Attributes.NONE
                .with(ControlKeys.IN_FORCE, inForce)
                .with(ControlKeys.ACTION, action)
                .with(ControlKeys.REASON, ArgumentCheck.text("reason", reason, REASON_BYTES));
    }

    private <T> CompletionStage<T> marked(Supplier<? extends CompletionStage<T>> edit) {
        return new MarkedEdit(leases, keys.mark()).make(edit);
    }

    /** Returns the names for which {@code change} made a difference. */
    private CompletionStage<Set<String>> each(
            Collection<String> names, Function<String, CompletionStage<Boolean>> change) {
        Set<String> changed = new ConcurrentSkipListSet<>();
        return marked(() -> ConcurrentCalls.over(
                        new TreeSet<>(names),
                        name -> change.apply(name).thenAccept(is -> {
                            if (is) {
                                changed.add(name);
                            }
                        }))
                .thenApply(nothing -> changed));
    }

    /** Puts an order in force. Returns false if it was. */
    private CompletionStage<Boolean> put(Key key, Attributes order) {
        return leases.acquire(key, options(order), WAIT).thenCompose(result -> {
            if (result instanceof AcquireResult.Done) {
                return CompletableFuture.completedFuture(false);
            }
            // Done keeps the entry from every clean-up that does not know of orders.
            return result.orThrow().doneAsync(AttributePatch.NONE).thenApply(nothing -> true);
        });
    }

    /**
     * Revokes an order. The grant that says so carries the reason, for the audit log of a server; then the entry can be
     * deleted. Returns false if the order was not in force.
     */
    private CompletionStage<Boolean> revoke(Key key, Attributes order) {
        return reader.note(key).thenCompose(found -> {
            if (found.isEmpty()) {
                return CompletableFuture.completedFuture(false);
            }
            return leases.reopen(key)
                    .thenCompose(reopened -> leases.acquire(key, options(order), WAIT))
                    .thenCompose(result -> {
                        Lease lease = result.orThrow();
                        return leases.delete(key, lease.token());
                    })
                    .thenApply(deleted -> true);
        });
    }

    private AcquireOptions options(Attributes order) {
        AcquireOptions options =
                AcquireOptions.defaults().term(TERM).autoRenew(false).attributes(order);
        return operator == null ? options : options.holder(operator);
    }
}
