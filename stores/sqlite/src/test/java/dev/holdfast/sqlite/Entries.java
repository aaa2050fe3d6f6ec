package dev.holdfast.sqlite;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/** Factory of entries to store. */
public final class Entries {
    private static final Instant TIME = Instant.parse("2026-02-03T04:05:06Z");

    private Entries() {}

    public static Version version() {
        return Version.of(UUID.randomUUID());
    }

    public static Entry held(Key key) {
        Version version = version();
        Grant grant = new Grant(
                Token.of(UUID.randomUUID()), Holder.of("ann"), Term.ofMillis(30_000), Beat.of(version), TIME, null);
        return new Entry(key, version, LeaseState.HELD, Fence.of(1000), 1, grant, Attributes.NONE, TIME, null);
    }

    public static Entry held(String name) {
        return held(Key.of(name));
    }

    static Entry renewed(Entry entry) {
        Grant grant = Objects.requireNonNull(entry.grant());
        Version version = version();
        return entry.renewed(version, grant.renewed(Beat.of(version), grant.term()), entry.attributes());
    }
}
