package dev.holdfast.sqlite;

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
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/** Entries to store. */
final class Entries {
    private static final Instant TIME = Instant.parse("2026-02-03T04:05:06Z");

    private Entries() {}

    static Version version() {
        return Version.of(UUID.randomUUID());
    }

    static Entry held(Key key) {
        Version version = version();
        Grant grant = new Grant(
                Token.of(UUID.randomUUID()), Holder.of("ann"), Term.ofMillis(30_000), Beat.of(version), TIME, null);
        return new Entry(key, version, State.HELD, Fence.of(1000), 1, grant, Attributes.NONE, TIME, null);
    }

    static Entry held(String name) {
        return held(Key.of(name));
    }

    static Entry renewed(Entry entry) {
        Grant grant = Objects.requireNonNull(entry.grant());
        Version version = version();
        return entry.renewed(version, grant.renewed(Beat.of(version), grant.term()), entry.attributes());
    }
}
