package dev.holdfast.rules;

import static java.util.Objects.requireNonNull;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LostReason;
import dev.holdfast.Token;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The decision of the rules about a request. */
public sealed interface Decision {
    /** Write this change; if it is applied, the request is fulfilled. */
    record Write(Change change) implements Decision {}

    /** Evict this expired anchor first, then decide again. */
    record EvictFirst(Key anchor) implements Decision {}

    /** Read this key first: without it the request cannot be decided. */
    record ReadFirst(Key key) implements Decision {}

    /**
     * There is nothing to do: the key is already in the requested state.
     *
     * @param entry null if the key has no entry
     */
    record Already(@Nullable Entry entry) implements Decision {}

    /**
     * The request is refused. Valid only if it rests on an answer to a question that was sent after the request began.
     */
    sealed interface Refusal extends Decision {}

    /**
     * The key is held.
     *
     * @param token of the holder; {@link Token#HIDDEN} if a server decided this, as servers do not reveal it
     * @param through the anchor that keeps it held; null if there is none, or a server decided this
     * @param term of the lease; null if a server decided this
     * @param remaining how long until others may be granted the key, unless the holder renews or releases; includes the
     *     margin for clocks
     */
    record Held(
            Holder holder,
            Token token,
            Fence fence,
            @Nullable AnchorRef through,
            @Nullable Term term,
            Duration remaining)
            implements Refusal {
        public static Held of(Entry entry, Duration remaining) {
            Grant grant = requireNonNull(entry.grant());
            return new Held(grant.holder(), grant.token(), entry.fence(), entry.heldThrough(), grant.term(), remaining);
        }

        public Held withRemaining(Duration newRemaining) {
            return new Held(holder, token, fence, through, term, newRemaining);
        }

        /** {@link #remaining} as shown to callers: at most the term, as the margin is not part of the grant. */
        public Duration shownRemaining() {
            return term == null ? remaining : term.atMost(remaining);
        }
    }

    /**
     * The key is free, but was released for another holder. Only requests that yield get this decision.
     *
     * @param remaining how long the courtesy lasts
     */
    record Reserved(Holder next, Duration remaining) implements Refusal {}

    /** The key is done. */
    record Finished(Instant doneAt) implements Refusal {
        public static Finished of(Entry entry) {
            return new Finished(requireNonNull(entry.doneAt()));
        }
    }

    /** The token of the request does not hold the key. */
    record Lost(LostReason reason) implements Refusal {}
}
