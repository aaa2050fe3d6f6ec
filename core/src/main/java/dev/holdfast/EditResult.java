package dev.holdfast;

/** The answer to reopen, delete and evict. {@code HeldByAnother}: the key was not changed. */
public sealed interface EditResult permits EditResult.Changed, EditResult.Unchanged, AcquireResult.HeldByAnother {
    /** The key was changed. */
    record Changed() implements EditResult {}

    /** There was nothing to change: the key was not done, not there, or not held. */
    record Unchanged() implements EditResult {}
}
