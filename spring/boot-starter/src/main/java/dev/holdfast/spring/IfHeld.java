package dev.holdfast.spring;

/** The reaction of a {@link Leased} method whose key is not free in time. */
public enum IfHeld {
    /** The caller gets {@link dev.holdfast.NotGrantedException}. */
    FAIL,
    /**
     * The method does not run, and the caller gets an empty result. This needs a method that can return one: {@code void},
     * {@code Optional}, a {@code CompletionStage} (which yields null) or a reactive type.
     */
    SKIP
}
