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

/** Sample entries for filling a store. */
final class BenchEntries {
    private BenchEntries() {}

    static Entry held(Key key, Token token) {
        Version version = Version.of(UUID.randomUUID());
        Instant now = Instant.now();
        Grant grant =
                new Grant(token, Holder.of("somebody@somewhere"), Term.ofMillis(30_000), Beat.of(version), now, null);
        return new Entry(key, version, LeaseState.HELD, Fence.of(1_000), 1, grant, Attributes.NONE, now, null);
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
}
