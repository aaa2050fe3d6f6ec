package dev.holdfast;

import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Leases for holders in other processes, for a server. Grants are returned as values; this client does not renew or release
 * them. The holder counts its term from before its request.
 *
 * <p>The rules of {@link AsyncLeases} for threads, callbacks and failures apply here, too.
 */
public interface Relay {
    /**
     * Grants {@code key}, and waits up to {@code wait} for its holder to release it. A second call with the same token, also
     * through another client, is the same request. Cancelling the future leaves the wait queue. A grant that arrives all the
     * same is released, unless it was requested again meanwhile.
     *
     * @throws IllegalArgumentException if the key is reserved, unless it is an anchor of the holder
     */
    CompletionStage<Outcome> grant(Key key, Ask ask, Duration wait);

    /**
     * Releases a grant that could not be delivered to its caller. Does nothing if the same token was granted the key through
     * another client, before or since.
     */
    CompletionStage<Void> giveBack(Granted untold);

    /**
     * Begins a new term, of another length if {@code term} is given. The stage fails with {@link LeaseLostException} if
     * the token does not hold the key.
     *
     * <p>A holder that requests a shorter term must rely on that term only, counted from before the request. The shorter term
     * may be stored although its answer is lost.
     *
     * @return the stored entry
     */
    CompletionStage<Entry> renew(Key key, Token token, @Nullable Term term, AttributePatch patch);

    /** @see Leases#update */
    CompletionStage<Entry> update(Key key, Token token, AttributePatch patch);

    /** @see Leases#done */
    CompletionStage<Entry> done(Key key, Token token, AttributePatch patch);

    /**
     * Marks the key done as {@link #done} does. Returns false if the same token had marked it done before, here or through
     * another client; {@code patch} was not applied then.
     */
    CompletionStage<Boolean> finish(Key key, Token token, AttributePatch patch);

    /** The grant of an anchor; fails with {@link LeaseLostException} if the token does not hold it. */
    CompletionStage<AnchorRef> prove(AnchorProof proof);

    /** One page of matching keys, as in {@link AsyncLeases#list}, each with the time of its last beat. */
    CompletionStage<ListedPage> list(LeaseFilter filter, @Nullable String cursor, int limit);

    /** Some keys, and where the next page begins: null after the last. */
    record ListedPage(List<Listed> entries, @Nullable String cursor) {}

    /**
     * A key and its status.
     *
     * @param sinceBeat the least time since it was granted or last renewed, by the store's clock if it has one
     */
    record Listed(LeaseStatus status, Duration sinceBeat) {}

    /**
     * A request for a grant.
     *
     * @param token chosen by the future holder
     * @param under the anchor that keeps it alive, and whose term it has then; null for its own renewals
     * @param onlyIfNew whether {@code attributes} apply only to a key that was never granted
     */
    record Ask(
            Token token,
            Holder holder,
            Term term,
            AttributePatch attributes,
            @Nullable AnchorProof under,
            boolean onlyIfNew) {
        public Ask(Token token, Holder holder, Term term, AttributePatch attributes, @Nullable AnchorProof under) {
            this(token, holder, term, attributes, under, false);
        }
    }

    /** The proof that the caller holds an anchor. */
    record AnchorProof(Key key, Token token) {}

    /** The result of such a request. */
    sealed interface Outcome {}

    /**
     * It was granted.
     *
     * @param found whether the grant existed before, made for the same token through another client. The holder may rely on it, so it
     *     is not released
     */
    record Granted(Entry entry, boolean found) implements Outcome {
        public Granted(Entry entry) {
            this(entry, false);
        }
    }

    /**
     * Another holder has the key.
     *
     * @param remaining the time until others may take it, unless its holder renews or releases it; at most its term
     */
    record Held(Key key, Holder holder, Fence fence, Duration remaining) implements Outcome {}

    /** The key is done. */
    record Done(Key key, Instant doneAt) implements Outcome {}
}
