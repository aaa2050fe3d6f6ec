package dev.holdfast.fleet.internal;

import dev.holdfast.Anchor;
import dev.holdfast.EditResult;
import dev.holdfast.Lease;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.AttributeValue;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Key;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Plans for the fleet while it holds the planner's lease: looks who is alive and what there is to do, asks the strategy,
 * and writes each worker whose units change a new sheet. A round that fails half-way is harmless: sheets are wishes, the
 * unit's own lease decides who works; and the next round goes on from what was written.
 *
 * <p>One round at a time; nothing else touches what it uses.
 */
final class Planner {
    private final Setup setup;
    private final Post post;
    private final Anchor anchor;
    private final Lease lease;
    private final Watch watch;
    private final Rests rests;
    private final Moves moves = new Moves();
    private final Map<String, Sheet> sheets = new ConcurrentSkipListMap<>();
    private long number;
    private volatile long plannedVersion = -1;
    private boolean unsettled;
    private int unplaced;

    Planner(Setup setup, Post post, Anchor anchor, Lease lease, Watch watch) {
        this.setup = setup;
        this.post = post;
        this.anchor = anchor;
        this.lease = lease;
        this.watch = watch;
        this.rests = new Rests(setup.options());
    }

    /** Looks, plans, writes, and says that it has. */
    CompletionStage<Void> round() {
        return watch.look()
                .thenCompose(nothing -> Window.over(watch.vanished(), this::bury))
                .thenCompose(nothing -> openSheets())
                .thenCompose(nothing -> deleteUnits())
                .thenCompose(nothing -> plan())
                .thenCompose(nothing -> publish());
    }

    /**
     * Frees the anchor of a worker that has fallen silent. It is judged here, once, by whoever has watched it longest;
     * those who take its units then need no term of their own to make sure.
     */
    private CompletionStage<Void> bury(String worker) {
        return setup.async().delete(setup.names().anchor(worker), null).thenCompose(result -> {
            if (result instanceof EditResult.Held) {
                throw new IllegalStateException(worker + " is back"); // The next look sees it.
            }
            plannedVersion = -1;
            Sheet sheet = sheets.get(worker);
            CompletionStage<Void> deleted = sheet == null ? CompletableFuture.completedFuture(null) : sheet.delete();
            // Not before: a worker of this name that finds the sheet takes it that the planner knows it.
            return deleted.thenRun(() -> {
                sheets.remove(worker);
                watch.buried(worker);
            });
        });
    }

    /** All of them, or nobody knows who has what. */
    private CompletionStage<Void> openSheets() {
        List<String> missing = watch.members().stream()
                .map(Member::name)
                .filter(name -> !sheets.containsKey(name))
                .toList();
        return Window.over(
                missing,
                name -> Sheet.open(setup, anchor, name).thenAccept(sheet -> {
                    sheets.put(name, sheet);
                    plannedVersion = -1;
                }));
    }

    private CompletionStage<Void> deleteUnits() {
        Set<String> deleted = ConcurrentHashMap.newKeySet();
        return Window.over(
                        watch.catalog().deleting(),
                        name -> setup.async()
                                .delete(setup.names().unit(name), null)
                                .thenAccept(result -> {
                                    if (!(result instanceof EditResult.Held)) {
                                        deleted.add(name);
                                    }
                                }))
                .thenRun(() -> deleted.forEach(watch.catalog()::forget));
    }

    private CompletionStage<Void> plan() {
        long now = setup.runtime().nanos();
        noteReports(now);
        moves.settle(watch);
        rests.forgetOld(now);
        boolean asBefore = watch.version() == plannedVersion && !unsettled && rests.isEmpty();
        if (asBefore || isTooEarly()) {
            return CompletableFuture.completedFuture(null);
        }
        // Planned only when it is written: a strategy or a write that fails is tried again in the next round.
        long version = watch.version();
        Table table = new Table(watch.members(), watch.catalog().open(), sheets.values(), rests, now);
        Proposal proposal = new Proposal(table, setup.strategy(), mayMove());
        unsettled = proposal.putOff() > 0;
        unplaced = proposal.unplaced();
        return write(proposal, table).thenRun(() -> {
            plannedVersion = version;
            post.tell(() -> setup.listener().onPlanned(proposal.placed(), proposal.moved(), proposal.unplaced()));
        });
    }

    private void noteReports(long now) {
        for (Member member : watch.members()) {
            Sheet sheet = sheets.get(member.name());
            if (sheet != null && member.report().applied().compareTo(sheet.revision()) >= 0) {
                member.report().done().stream().filter(sheet.units()::contains).forEach(watch.catalog()::finish);
                member.report().failed().stream()
                        .filter(sheet.units()::contains)
                        .filter(unit -> rests.mayHave(member.name(), unit, now))
                        .forEach(unit -> rests.failed(unit, member.name(), now));
            }
        }
    }

    /** The first plan ever waits a little for those who start at the same time: else the first would get everything. */
    private boolean isTooEarly() {
        boolean cold = sheets.values().stream().allMatch(sheet -> sheet.units().isEmpty());
        long patience = Math.min(
                setup.options().poll().toNanos(), setup.options().quiet().toNanos());
        return cold && watch.quietNanos() < patience && watch.unquietNanos() < 6 * patience;
    }

    private int mayMove() {
        FleetOptions options = setup.options();
        long quiet = options.quiet().toNanos();
        if (watch.quietNanos() < quiet && watch.unquietNanos() < 6 * quiet) {
            return 0;
        }
        int most = options.maxMoves() > 0
                ? options.maxMoves()
                : Math.max(16, watch.catalog().size() / 20);
        return Math.max(0, most - moves.count());
    }

    private CompletionStage<Void> write(Proposal proposal, Table table) {
        Revision revision = new Revision(lease.fence().value(), ++number);
        Set<String> standbys = standbys();
        List<List<String>> units = proposal.units();
        List<Integer> changed = new ArrayList<>();
        for (int worker = 0; worker < table.workers(); worker++) {
            String name = table.worker(worker).name();
            Sheet sheet = sheets.get(name);
            if (sheet != null
                    && (sheet.isStandby() != standbys.contains(name)
                            || sheet.revision().equals(Revision.NONE)
                            || !sheet.units().equals(new HashSet<>(units.get(worker))))) {
                changed.add(worker);
            }
        }
        proposal.movedTo().forEach((worker, count) -> moves.begin(worker, count, revision));
        return Window.over(changed, worker -> {
            String name = table.worker(worker).name();
            Sheet sheet = Objects.requireNonNull(sheets.get(name));
            return sheet.write(units.get(worker), standbys.contains(name), revision);
        });
    }

    /** Those who stand by stay so; the next are those who have been here longest. */
    private Set<String> standbys() {
        Set<String> chosen = new HashSet<>();
        watch.members().stream()
                .filter(member -> !member.report().leaving() && !member.name().equals(setup.worker()))
                .sorted(Comparator.comparing((Member member) -> !isStandby(member))
                        .thenComparing(Member::fence))
                .limit(setup.options().standbys())
                .forEach(member -> chosen.add(member.name()));
        return chosen;
    }

    private boolean isStandby(Member member) {
        Sheet sheet = sheets.get(member.name());
        return sheet != null && sheet.isStandby();
    }

    /** Shows that planning goes on; and fails if another was made planner. */
    private CompletionStage<Void> publish() {
        return lease.updateAsync(AttributePatch.replaceWith(Attributes.of(Map.of(
                "at", AttributeValue.of(setup.runtime().now().toEpochMilli()),
                "units", AttributeValue.of(watch.catalog().size()),
                "done", AttributeValue.of(watch.catalog().doneCount()),
                "unplaced", AttributeValue.of(unplaced),
                "moves", AttributeValue.of(moves.count())))));
    }

    Lease lease() {
        return lease;
    }

    /**
     * Leaves everything to the next planner. It may be called again if it fails: as long as one sheet is held, others take
     * it for the sheet of a planner that lives.
     */
    CompletionStage<Void> letGo() {
        List<Key> keys = new ArrayList<>();
        sheets.values().forEach(sheet -> keys.addAll(sheet.keys()));
        keys.add(lease.key());
        return Window.over(keys, key -> Reclaim.of(setup.async(), key, anchor));
    }
}
