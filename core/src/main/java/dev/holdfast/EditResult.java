package dev.holdfast;

import java.time.Duration;

/** The answer to reopen, delete and evict. */
public sealed interface EditResult {
    /** It was written. */
    record Changed() implements EditResult {}

    /** There was nothing to do: not done, not there, not held. */
    record Unchanged() implements EditResult {}

    /** Not while somebody holds the key. */
    record Held(Holder holder, Fence fence, Duration remaining) implements EditResult {}
}
