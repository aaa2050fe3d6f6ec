package dev.holdfast;

import dev.holdfast.history.GrantHistory;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.util.Optional;

/**
 * The status of a key: its entry, and its state with expiry and anchors resolved.
 *
 * @param state resolved: an expired lease is {@code FREE}, though it is stored as held
 * @param remaining the time until others may take it, unless it is renewed; zero if it is not held. At most its term, although
 *     others wait a little longer, as clocks may differ
 */
public record LeaseStatus(Entry entry, LeaseState state, Duration remaining) {
    public Key key() {
        return entry.key();
    }

    public boolean isHeld() {
        return state == LeaseState.HELD;
    }

    /** Whether the last lease expired and no other was granted since. */
    public boolean isExpired() {
        return entry.state() == LeaseState.HELD && state == LeaseState.FREE;
    }

    public Fence fence() {
        return entry.fence();
    }

    /** The holder, or the last one. */
    public Optional<Holder> holder() {
        return Optional.ofNullable(entry.grant()).map(Grant::holder);
    }

    /** The grants of the key that have ended, as far as they were recorded; none in a listing. */
    public GrantHistory history() {
        return entry.history();
    }

    public Attributes attributes() {
        return entry.attributes();
    }
}
