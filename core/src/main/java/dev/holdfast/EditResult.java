package dev.holdfast;

import java.time.Duration;

/** The answer to reopen, delete and evict. */
public sealed interface EditResult {
    /** The key was changed. */
    record Changed() implements EditResult {}

    /** There was nothing to change: the key was not done, not there, or not held. */
    record Unchanged() implements EditResult {}

    /** The key was not changed, as another holder has it. */
    record Held(Holder holder, Fence fence, Duration remaining) implements EditResult {}
}
