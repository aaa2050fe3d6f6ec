package dev.holdfast.postgres;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

/** Factory of entries to store. */
final class Entries {
    private static final Instant TIME = Instant.parse("2026-02-03T04:05:06.789012Z");

    private Entries() {}

    static Version version() {
        return Version.of(UUID.randomUUID());
    }

    static Entry held(String name) {
        return held(Key.of(name), 1000);
    }

    static Entry held(Key key, long fence) {
        Version version = version();
        Grant grant = new Grant(
                Token.of(UUID.randomUUID()), Holder.of("ann"), Term.ofMillis(30_000), Beat.of(version), TIME, null);
        return new Entry(key, version, LeaseState.HELD, Fence.of(fence), 1, grant, Attributes.NONE, TIME, null);
    }

    static Entry renewed(Entry entry) {
        Grant grant = Objects.requireNonNull(entry.grant());
        Version version = version();
        return entry.renewed(version, grant.renewed(Beat.of(version), grant.term()), entry.attributes());
    }

    static List<Entry> many(String namespace, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> held(Key.of(namespace, "key-" + i), 1000))
                .toList();
    }

    static boolean applied(LeaseStore store, Entry insert) {
        return store.apply(List.of(Change.insert(insert))).equals(List.of(WriteOutcome.APPLIED));
    }

    /** Applies the next write of each entry. */
    static List<Entry> renewAll(LeaseStore store, List<Entry> entries) {
        List<Entry> next = entries.stream().map(Entries::renewed).toList();
        List<Change> changes = IntStream.range(0, entries.size())
                .mapToObj(i -> Change.replace(entries.get(i).version(), next.get(i)))
                .toList();
        List<WriteOutcome> outcomes = store.apply(changes);
        if (!outcomes.stream().allMatch(WriteOutcome.APPLIED::equals)) {
            throw new AssertionError(outcomes);
        }
        return next;
    }
}
