package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.model.State;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the workers and the units of a fleet. Workers that stand by to plan look too: then they know both, and have
 * watched all anchors, before they are needed.
 *
 * <p>Workers are listed only after one has joined: each gives a {@link JoinNotice}, which changes the mark of workers. At
 * all other looks the anchors of the known workers are read by their keys. That is for stores in which a listing reads the
 * whole table (DynamoDB). Where it is a range of an index it would cost about as much as the reads, and one way for all
 * stores is simpler than two.
 *
 * <p>Workers of a version that gives no notice are found by the listing that comes once in {@link
 * dev.holdfast.fleet.FleetOptions#relistEvery}. As long as such a worker is known, others may be about to come, and
 * workers are listed at every look.
 *
 * <p>One look at a time.
 */
final class Watch {
    private final Setup setup;
    private final Catalog catalog;
    private final LastListing lastListing;
    private Map<String, Member> members = new TreeMap<>();
    private final Set<String> vanished = new ConcurrentSkipListSet<>();
    /** Those of them whose anchors are free, or deleted: they left, or the planner has buried them. */
    private final Set<String> gone = new ConcurrentSkipListSet<>();

    private long version;
    private long changedNanos;
    private long unquietSinceNanos;
    private boolean looked;
    private long lookedNanos;

    Watch(Setup setup) {
        this.setup = setup;
        this.catalog = new Catalog(setup);
        this.lastListing = new LastListing(setup);
        this.changedNanos = setup.runtime().nanos();
        this.unquietSinceNanos = changedNanos;
        this.lookedNanos = changedNanos;
    }

    /** Workers last: to list a million units takes seconds, and whoever came meanwhile is to be planned for. */
    CompletionStage<Void> look() {
        return catalog.look()
                .thenCompose(nothing -> setup.async().get(setup.names().workersMark()))
                .thenCompose(found -> lookAtWorkers(Mark.of(found)));
    }

    /** A look by a worker that stands by. It buries nobody, so it forgets those whom the planner has buried. */
    CompletionStage<Void> standBy() {
        return look().thenRun(() -> vanished.removeAll(gone));
    }

    private CompletionStage<Void> lookAtWorkers(Mark mark) {
        gone.clear();
        boolean allGiveNotice = members.values().stream().allMatch(Member::givesNotice);
        if (lastListing.isCurrent(mark) && allGiveNotice) {
            return readKnown();
        }
        Map<String, Member> found = new TreeMap<>();
        LeaseFilter living =
                LeaseFilter.namespacePrefix(setup.names().anchors()).state(State.HELD);
        return Walk.over(setup.async(), living, anchor -> found.put(anchor.key().name(), Member.of(anchor)))
                .thenRun(() -> {
                    lastListing.listed(mark);
                    note(found);
                });
    }

    /** Also those that have vanished: one that is back before it was buried may have given its notice too early. */
    private CompletionStage<Void> readKnown() {
        Set<String> known = new TreeSet<>(members.keySet());
        known.addAll(vanished);
        Map<String, Member> found = new ConcurrentSkipListMap<>();
        return Window.over(
                        known,
                        name -> setup.async().get(setup.names().anchor(name)).thenAccept(anchor -> {
                            anchor.filter(LeaseStatus::isHeld).ifPresent(held -> found.put(name, Member.of(held)));
                            if (anchor.filter(status -> status.entry().state() == State.HELD)
                                    .isEmpty()) {
                                gone.add(name);
                            }
                        }))
                .thenRun(() -> note(new TreeMap<>(found)));
    }

    private void note(Map<String, Member> found) {
        members.keySet().stream().filter(name -> !found.containsKey(name)).forEach(vanished::add);
        vanished.removeAll(found.keySet());
        boolean sameCrew = looked
                && found.keySet().equals(members.keySet())
                && found.values().stream().allMatch(member -> isSame(member, members.get(member.name())));
        if (!sameCrew) {
            crewChanged();
        }
        if (!found.equals(members)) {
            version++;
        }
        members = found;
        looked = true;
        lookedNanos = setup.runtime().nanos();
    }

    private static boolean isSame(Member member, @Nullable Member before) {
        return before != null && member.isSameGrantAs(before);
    }

    private void crewChanged() {
        long now = setup.runtime().nanos();
        if (now - changedNanos >= setup.options().quiet().toNanos()) {
            unquietSinceNanos = now;
        }
        changedNanos = now;
    }

    /** How long workers had neither come nor gone when they were last looked at. */
    long quietNanos() {
        return lookedNanos - changedNanos;
    }

    /** How long it has been since it was last quiet. */
    long unquietNanos() {
        return setup.runtime().nanos() - unquietSinceNanos;
    }

    Catalog catalog() {
        return catalog;
    }

    /** Changes whenever what is planned could. */
    long version() {
        return version + catalog.version();
    }

    Collection<Member> members() {
        return members.values();
    }

    @Nullable
    Member member(String name) {
        return members.get(name);
    }

    /** Workers that were alive at an earlier look and have not been seen since. */
    List<String> vanished() {
        return List.copyOf(vanished);
    }

    void buried(String name) {
        vanished.remove(name);
    }
}
