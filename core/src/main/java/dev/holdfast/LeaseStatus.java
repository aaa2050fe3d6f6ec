package dev.holdfast;

import dev.holdfast.model.Attributes;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import java.time.Duration;
import java.util.Optional;

/**
 * What is known of a key: what is stored, and how it stands.
 *
 * @param state resolved: a lease that has run out is {@code FREE}, though it is stored as held
 * @param remaining how long until others may take it, unless it is renewed; at most its term, although others wait a
 *     little longer, as clocks may differ; zero if it is not held
 */
public record LeaseStatus(Entry entry, State state, Duration remaining) {
    public Key key() {
        return entry.key();
    }

    public boolean isHeld() {
        return state == State.HELD;
    }

    /** Whether it was held until its holder fell silent, and nobody has taken it since. */
    public boolean isExpired() {
        return entry.state() == State.HELD && state == State.FREE;
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
