package dev.holdfast.internal.rules;

import static java.util.Objects.requireNonNull;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LostReason;
import dev.holdfast.Term;
import dev.holdfast.Token;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the rules answer to a request. */
public sealed interface Decision {
    /** Apply this; if it is applied, the request is fulfilled. */
    record Write(Change change) implements Decision {}

    /** First have this silent anchor evicted; then ask again. */
    record EvictFirst(Key anchor) implements Decision {}

    /** Cannot be decided without having seen this key. */
    record Look(Key key) implements Decision {}

    /**
     * There is nothing left to do: what was asked for is so.
     *
     * @param entry null if the key has no entry
     */
    record Already(@Nullable Entry entry) implements Decision {
        public Optional<Entry> current() {
            return Optional.ofNullable(entry);
        }
    }

    /** No. Valid only for what the store answered after the request began. */
    sealed interface Refusal extends Decision {}

    /**
     * Somebody holds the key.
     *
     * @param token of whoever holds it; {@link Token#HIDDEN} if a server decided this, which does not tell
     * @param through the anchor that keeps it held; null if there is none, or a server decided this
     * @param term of the lease; null if a server decided this
     * @param remaining how long, unless it renews or releases, until others may take it: with the margin for clocks
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

        /** {@link #remaining} as callers are told it: at most the term, as the margin is no part of what was granted. */
        public Duration shownRemaining() {
            return term == null ? remaining : term.atMost(remaining);
        }
    }

    /** The key is done. */
    record Finished(Instant doneAt) implements Refusal {
        public static Finished of(Entry entry) {
            return new Finished(requireNonNull(entry.doneAt()));
        }
    }

    /** The token that was shown does not hold the key. */
    record Lost(LostReason reason) implements Refusal {}
}
