package dev.holdfast.bench;

import dev.holdfast.model.Attributes;
import dev.holdfast.model.Beat;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.model.Version;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Entries to fill a store with. */
final class Entries {
    private Entries() {}

    static Entry held(Key key, Token token) {
        Version version = Version.of(UUID.randomUUID());
        Instant now = Instant.now();
        Grant grant =
                new Grant(token, Holder.of("somebody@somewhere"), Term.ofMillis(30_000), Beat.of(version), now, null);
        return new Entry(key, version, State.HELD, Fence.of(1_000), 1, grant, Attributes.NONE, now, null);
    }

    static Entry renewed(Entry entry) {
        Version version = Version.of(UUID.randomUUID());
        Grant grant = Objects.requireNonNull(entry.grant());
        return entry.renewed(version, grant.renewed(Beat.of(version), grant.term()), entry.attributes());
    }

    static void apply(LeaseStore store, List<Change> changes) {
        List<Outcome> outcomes = store.apply(changes);
        if (!outcomes.stream().allMatch(Outcome.APPLIED::equals)) {
            throw new IllegalStateException("not all were applied: " + outcomes);
        }
    }
}
