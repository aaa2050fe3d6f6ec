package dev.holdfast.internal.pipeline;

import dev.holdfast.Key;
import dev.holdfast.store.Change;

/** The next step of a request, as the {@link RequestDecider} decided it. */
sealed interface NextStep {
    /** Send this change to the store. */
    record Send(Change change) implements NextStep {}

    /** Read this key, then decide again. */
    record Read(Key key) implements NextStep {}

    /** Evict this expired anchor, then decide again. */
    record EvictAnchor(Key anchor) implements NextStep {}

    /** The request needs no write. */
    record Conclude(Conclusion conclusion) implements NextStep {}

    /** The caller has left, and nothing was sent that could have an effect. */
    record Drop() implements NextStep {}
}
