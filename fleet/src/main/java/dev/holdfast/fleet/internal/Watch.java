package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseFilter;
import dev.holdfast.model.State;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the workers and the units of a fleet. Whoever stands by to plan looks too: then it knows both, and has watched
 * everybody's beats, before it is needed.
 *
 * <p>One look at a time.
 */
final class Watch {
    private final Setup setup;
    private final Catalog catalog;
    private Map<String, Member> members = new TreeMap<>();
    private final Set<String> vanished = new ConcurrentSkipListSet<>();
    private long version;
    private long changedNanos;
    private long unquietSinceNanos;
    private boolean looked;
    private long lookedNanos;

    Watch(Setup setup) {
        this.setup = setup;
        this.catalog = new Catalog(setup);
        this.changedNanos = setup.runtime().nanos();
        this.unquietSinceNanos = changedNanos;
        this.lookedNanos = changedNanos;
    }

    /** Workers last: to list a million units takes seconds, and whoever came meanwhile is to be planned for. */
    CompletionStage<Void> look() {
        Map<String, Member> found = new TreeMap<>();
        LeaseFilter living =
                LeaseFilter.namespacePrefix(setup.names().anchors()).state(State.HELD);
        return catalog.look()
                .thenCompose(all -> Walk.over(
                        setup.async(), living, anchor -> found.put(anchor.key().name(), Member.of(anchor))))
                .thenRun(() -> note(found));
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
