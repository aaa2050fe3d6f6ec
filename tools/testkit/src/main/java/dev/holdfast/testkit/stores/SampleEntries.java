package dev.holdfast.testkit.stores;

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

/** Sample entries for tests of stores. */
public interface SampleEntries {
    /** Precise to the microsecond, the finest precision that every store keeps. */
    Instant TIME = Instant.parse("2026-02-03T04:05:06.789012Z");

    default Version version() {
        return Version.of(UUID.randomUUID());
    }

    default Token token() {
        return Token.of(UUID.randomUUID());
    }

    default Grant grant(String holder) {
        return new Grant(token(), Holder.of(holder), Term.ofMillis(30_000), Beat.of(version()), TIME, null);
    }

    /** A key that ann holds, with fence 1000. */
    default Entry held(Key key) {
        return held(key, grant("ann"));
    }

    default Entry held(Key key, Grant grant) {
        return new Entry(key, version(), LeaseState.HELD, Fence.of(1000), 1, grant, Attributes.NONE, TIME, null);
    }

    default Entry held(String name) {
        return held(Key.of(name));
    }

    default Entry free(String name) {
        return held(name).freed(version());
    }

    default Entry done(String name) {
        return held(name).done(version(), TIME.plusSeconds(1), Attributes.NONE);
    }

    /** The same grant after a renewal, with a new beat. */
    default Entry renewed(Entry entry) {
        Grant grant = Objects.requireNonNull(entry.grant());
        Version version = version();
        return entry.renewed(version, grant.renewed(Beat.of(version), grant.term()), entry.attributes());
    }

    /** The next entry of a chain of writes, which count themselves in {@code grants}. */
    default Entry counted(Entry entry) {
        return new Entry(
                entry.key(),
                version(),
                entry.state(),
                entry.fence(),
                entry.grants() + 1,
                entry.grant(),
                entry.attributes(),
                entry.createdAt(),
                entry.doneAt());
    }

    default Entry withFence(Entry entry, long fence) {
        return new Entry(
                entry.key(),
                entry.version(),
                entry.state(),
                Fence.of(fence),
                entry.grants(),
                entry.grant(),
                entry.attributes(),
                entry.createdAt(),
                entry.doneAt());
    }
}
