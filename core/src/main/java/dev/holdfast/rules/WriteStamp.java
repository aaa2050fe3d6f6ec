package dev.holdfast.rules;

import dev.holdfast.Fence;
import dev.holdfast.store.Version;
import java.time.Instant;

/**
 * The version, time and lowest fence of one write.
 *
 * @param version fresh, for this write alone
 * @param at the time of the decision, by the writer's clocks
 * @param floor the highest fence that the store reported for keys without an entry
 */
public record WriteStamp(Version version, ClockReading at, Fence floor) {
    /** The writer's wall clock. */
    public Instant now() {
        return at.wall();
    }
}
