package dev.holdfast;

import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.util.Optional;

/**
 * What is known of a key: what is stored, and how it stands.
 *
 * @param state resolved: a lease that has run out is {@code FREE}, though it is stored as held
 * @param remaining how long until others may take it, unless it is renewed; at most its term, although others wait a
 *     little longer, as clocks may differ; zero if it is not held
 */
public record LeaseStatus(Entry entry, LeaseState state, Duration remaining) {
    public Key key() {
        return entry.key();
    }

    public boolean isHeld() {
        return state == LeaseState.HELD;
    }

    /** Whether it was held until its holder fell silent, and nobody has taken it since. */
    public boolean isExpired() {
        return entry.state() == LeaseState.HELD && state == LeaseState.FREE;
    }

    public Fence fence() {
        return entry.fence();
    }

    /** Its holder, or its last one. */
    public Optional<Holder> holder() {
        return Optional.ofNullable(entry.grant()).map(Grant::holder);
    }

    public Attributes attributes() {
        return entry.attributes();
    }
}
