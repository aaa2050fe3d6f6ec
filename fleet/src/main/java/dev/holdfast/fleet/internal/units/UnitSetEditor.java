package dev.holdfast.fleet.internal.units;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreException;
import dev.holdfast.fleet.internal.execution.ConcurrentCalls;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Grant;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The editor of the units of a fleet. Changes that the planner must notice are made while holding the fleet's mark:
 * see {@link FleetKeyLayout#unitsMark}.
 */
public final class UnitSetEditor {
    /**
     * The term of a unit that is held only to write to it. Nothing is lost if it ends early, and others wait only
     * briefly.
     */
    private static final Duration TERM = Duration.ofSeconds(1);

    private static final int WRITE_TRIES = 5;
    private static final Duration WAIT = Duration.ofMinutes(1);

    private final AsyncLeases leases;
    private final FleetKeyLayout layout;

    public UnitSetEditor(AsyncLeases leases, FleetKeyLayout layout) {
        this.leases = leases;
        this.layout = layout;
    }

    /** Creates the units that do not exist, and returns how many were created. */
    public CompletionStage<Integer> create(Collection<String> units, Attributes attributes) {
        List<String> after = layout.planned() ? UnitAttributes.after(attributes) : List.of();
        rejectSelfReference(after, units);
        Attributes marked =
                layout.planned() ? UnitAttributes.requireValid(attributes).with(UnitAttributes.UNIT, true) : attributes;
        units.forEach(layout::unit);
        AtomicInteger created = new AtomicInteger();
        return whileMarked(() -> rejectUnknownRequirement(attributes)
                .thenCompose(nothing -> missing(after))
                .thenCompose(missing -> ConcurrentCalls.over(
                        units,
                        unit -> createOne(layout.unit(unit), marked, missing)
                                .thenAccept(is -> created.addAndGet(is ? 1 : 0))))
                .thenApply(nothing -> created.get()));
    }

    /** A worker of an older version would ignore required labels, as worker and as planner. */
    private CompletionStage<Void> rejectUnknownRequirement(Attributes attributes) {
        return layout.planned() && !UnitAttributes.requires(attributes).isEmpty()
                ? WorkerVersions.requireAll(leases, layout, WorkerVersions.CONTROL_AND_LABELS)
                : CompletableFuture.completedFuture(null);
    }

    /** A unit that waits for itself would wait forever. */
    private static void rejectSelfReference(List<String> after, Collection<String> units) {
        after.stream().filter(units::contains).findFirst().ifPresent(unit -> {
            throw ArgumentCheck.bad(UnitAttributes.AFTER, unit, "a unit other than the ones that wait for it");
        });
    }

    /** Returns the units that do not exist. */
    private CompletionStage<Set<String>> missing(Collection<String> units) {
        Set<String> missing = new ConcurrentSkipListSet<>();
        return ConcurrentCalls.over(
                        units,
                        unit -> leases.get(layout.unit(unit)).thenAccept(found -> {
                            if (found.filter(layout::isUnit).isEmpty()) {
                                missing.add(unit);
                            }
                        }))
                .thenApply(nothing -> missing);
    }

    /** A unit that waits for a misspelt one would not wait at all. */
    private void rejectMissing(Set<String> missing) {
        if (!missing.isEmpty()) {
            throw ArgumentCheck.bad(
                    UnitAttributes.AFTER,
                    String.join(", ", missing),
                    "units of fleet " + layout.fleet() + ", created before the units that wait for them");
        }
    }

    private CompletionStage<Boolean> createOne(Key key, Attributes attributes, Set<String> missing) {
        return leases.get(key).thenCompose(found -> {
            if (found.filter(layout::isUnit).isPresent()) {
                // A unit that was about to be deleted and is created again is kept.
                return UnitAttributes.isDeleting(found.get().attributes())
                        ? forceUpdate(key, AttributePatch.removing(UnitAttributes.DELETING), WRITE_TRIES)
                        : CompletableFuture.completedFuture(false);
            }
            rejectMissing(missing);
            AcquireOptions options =
                    AcquireOptions.defaults().term(TERM).autoRenew(false).attributes(attributes);
            // A worker that was assigned the unit before its deletion may hold it briefly, until it sees that it is no
            // longer a unit.
            return leases.acquire(key, options, WAIT).thenCompose(result -> {
                if (!result.isGranted() && layout.planned()) {
                    throw new NotGrantedException(result);
                }
                return result.granted()
                        .map(lease -> lease.releaseAsync().thenApply(released -> true))
                        .orElse(CompletableFuture.completedFuture(false));
            });
        });
    }

    /**
     * Deletes a unit. If a worker holds it, the planner first takes it from that worker. Without a planner, this method
     * evicts the worker.
     */
    public CompletionStage<Boolean> delete(String unit) {
        Key key = layout.unit(unit);
        return whileMarked(() -> leases.get(key).thenCompose(found -> {
            if (found.filter(layout::isUnit).isEmpty()) {
                return CompletableFuture.completedFuture(false);
            }
            if (!layout.planned()) {
                return evictAndDelete(key, WRITE_TRIES);
            }
            return leases.delete(key, null)
                    .thenCompose(result -> result instanceof AcquireResult.HeldByAnother
                            ? forceUpdate(key, AttributePatch.putting(UnitAttributes.DELETING, true), WRITE_TRIES)
                            : CompletableFuture.completedFuture(true));
        }));
    }

    /**
     * Evicts the holder, because no planner would take the unit away. Workers without a planner steal units in the same
     * way.
     */
    private CompletionStage<Boolean> evictAndDelete(Key key, int tries) {
        return leases.delete(key, null).thenCompose(result -> {
            if (!(result instanceof AcquireResult.HeldByAnother)) {
                return CompletableFuture.completedFuture(true);
            }
            if (tries == 1) {
                throw StoreException.notApplied(
                        "unit " + key.name() + ": workers acquire it again faster than it can be deleted", null);
            }
            return leases.evict(key, "the unit is deleted").thenCompose(evicted -> evictAndDelete(key, tries - 1));
        });
    }

    /** Makes a done unit available again. */
    public CompletionStage<Boolean> reopen(String unit) {
        return whileMarked(() -> leases.reopen(layout.unit(unit)).thenApply(EditResult.Changed.class::isInstance));
    }

    /** Changes attributes without holding the unit. Returns false if there is no such unit, or it is done. */
    public CompletionStage<Boolean> forceUpdate(String unit, AttributePatch patch) {
        AttributePatch kept = layout.planned() ? UnitAttributes.keepingMarks(patch) : patch;
        UnitAttributes.requireValid(patch.puts());
        List<String> after = layout.planned() ? UnitAttributes.after(patch.puts()) : List.of();
        rejectSelfReference(after, List.of(unit));
        Supplier<CompletionStage<Boolean>> update = () -> rejectUnknownRequirement(patch.puts())
                .thenCompose(nothing -> missing(after))
                .thenCompose(missing -> {
                    rejectMissing(missing);
                    return forceUpdate(layout.unit(unit), kept, WRITE_TRIES);
                });
        return UnitAttributes.isPlanned(patch) ? whileMarked(update) : update.get();
    }

    /**
     * Writes with the token in the entry, which a server shows only to administrators. A free unit is held briefly
     * instead. If its holder changes meanwhile, the write is retried.
     */
    private CompletionStage<Boolean> forceUpdate(Key key, AttributePatch patch, int tries) {
        return tryForceUpdate(key, patch).exceptionallyCompose(error -> {
            Throwable cause = Futures.cause(error);
            boolean moved = cause instanceof LeaseLostException || cause instanceof NotGrantedException;
            return moved && tries > 1 ? forceUpdate(key, patch, tries - 1) : CompletableFuture.failedFuture(cause);
        });
    }

    private CompletionStage<Boolean> tryForceUpdate(Key key, AttributePatch patch) {
        return LeaseService.of(leases).statuses().getWithToken(key, null).thenCompose(found -> {
            LeaseStatus status = found.filter(layout::isUnit).orElse(null);
            if (status == null || status.state() == LeaseState.DONE) {
                return CompletableFuture.completedFuture(false);
            }
            if (status.isHeld()) {
                Grant grant = Objects.requireNonNull(status.entry().grant());
                return leases.update(key, grant.token(), patch).thenApply(nothing -> true);
            }
            AcquireOptions options = AcquireOptions.defaults().term(TERM).autoRenew(false);
            return leases.tryAcquire(key, options).thenCompose(result -> updateAndRelease(result, patch));
        });
    }

    private static CompletionStage<Boolean> updateAndRelease(AcquireResult result, AttributePatch patch) {
        Lease lease = result.orThrow();
        return lease.updateAsync(patch)
                .thenCompose(nothing -> lease.releaseAsync())
                .thenApply(released -> true);
    }

    private <T> CompletionStage<T> whileMarked(Supplier<? extends CompletionStage<T>> edit) {
        return layout.planned() ? new MarkedEdit(leases, layout.unitsMark()).make(edit) : edit.get();
    }
}
