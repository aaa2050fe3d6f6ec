package dev.holdfast.bench;

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
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Sample entries for filling a store. */
public final class BenchEntries {
    private BenchEntries() {}

    static Entry held(Key key, Token token) {
        return held(key, token, "somebody@somewhere", Fence.of(1_000), Attributes.NONE);
    }

    private static Entry held(Key key, Token token, String holder, Fence fence, Attributes attributes) {
        Version version = Version.of(UUID.randomUUID());
        Instant now = Instant.now();
        Grant grant = new Grant(token, Holder.of(holder), Term.ofMillis(30_000), Beat.of(version), now, null);
        return new Entry(key, version, LeaseState.HELD, fence, 1, grant, attributes, now, null);
    }

    public static Entry done(Key key, String holder, Attributes attributes) {
        return done(held(key, Token.of(UUID.randomUUID()), holder, Fence.of(1_000), attributes));
    }

    static Entry done(Entry held) {
        return held.done(Version.of(UUID.randomUUID()), Instant.now(), held.attributes());
    }

    static Entry renewed(Entry entry) {
        Version version = Version.of(UUID.randomUUID());
        Grant grant = Objects.requireNonNull(entry.grant());
        return entry.renewed(version, grant.renewed(Beat.of(version), grant.term()), entry.attributes());
    }

    static void apply(LeaseStore store, List<Change> changes) {
        List<WriteOutcome> outcomes = store.apply(changes);
        if (!outcomes.stream().allMatch(WriteOutcome.APPLIED::equals)) {
            throw new IllegalStateException("not all were applied: " + outcomes);
        }
    }

    /** Inserts {@code count} entries in the largest batches that the store takes. */
    public static void fill(LeaseStore store, int count, IntFunction<Entry> entries) {
        int limit = store.traits().batchLimit();
        for (int from = 0; from < count; from += limit) {
            apply(
                    store,
                    IntStream.range(from, Math.min(from + limit, count))
                            .mapToObj(entries)
                            .map(Change::insert)
                            .toList());
        }
    }
}
