package dev.holdfast;

import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Leases for holders elsewhere, as a server needs them: what is granted here is told, and neither believed, renewed nor
 * released. Who holds it counts its term from before he asked.
 *
 * <p>The rules of {@link AsyncLeases} for threads, callbacks and failures hold here too.
 */
public interface Relay {
    /**
     * Grants {@code key}, waiting up to {@code wait} for its holder to give way. Asked again with the same token, also
     * through another client, it is the same request. Cancelling the future leaves the line; a grant that comes all the
     * same is given back, unless it was asked for again meanwhile.
     *
     * @throws IllegalArgumentException if the key is Holdfast's own, unless it is an anchor of the holder
     */
    CompletionStage<Outcome> grant(Key key, Ask ask, Duration wait);

    /**
     * Gives back a grant that could not be delivered to the caller that asked for it. Does nothing if the same token was
     * granted the key through another client, before or since.
     */
    CompletionStage<Void> giveBack(Granted untold);

    /**
     * Begins a new term, of another length if {@code term} is given. The stage fails with {@link LeaseLostException} if
     * the token does not hold the key.
     *
     * <p>A holder that asks for a shorter term must count on no more than that term, from before it asks, whatever the
     * answer: the shorter term may be stored although its answer is lost.
     *
     * @return what is stored now
     */
    CompletionStage<Entry> renew(Key key, Token token, @Nullable Term term, AttributePatch patch);

    /** @see Leases#update */
    CompletionStage<Entry> update(Key key, Token token, AttributePatch patch);

    /** @see Leases#done */
    CompletionStage<Entry> done(Key key, Token token, AttributePatch patch);

    /**
     * Marks the key done as {@link #done} does, and says whether this call did so. False: the same token had marked it
     * done before, here or through another client, and {@code patch} was not applied.
     */
    CompletionStage<Boolean> finish(Key key, Token token, AttributePatch patch);

    /** The grant of the anchor that is shown; fails with {@link LeaseLostException} if its token does not hold it. */
    CompletionStage<AnchorRef> prove(AnchorProof proof);

    /** One page of the keys that match, as {@link AsyncLeases#list} has it, with the time of each one's last beat. */
    CompletionStage<ListedPage> list(LeaseFilter filter, @Nullable String cursor, int limit);

    /** Some keys, and where the next page begins: null after the last. */
    record ListedPage(List<Listed> entries, @Nullable String cursor) {}

    /**
     * A key and how it stands.
     *
     * @param sinceBeat how long ago, at least, it was granted or last renewed, by the store's clock if it has one
     */
    record Listed(LeaseStatus status, Duration sinceBeat) {}

    /**
     * What is asked for.
     *
     * @param token drawn by whoever will hold it
     * @param under the anchor that shall keep it alive, whose term it then has; null for its own renewals
     * @param onlyIfNew whether {@code attributes} are for a key that was never granted, and another keeps what it has
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

    /** Shows that whoever asks holds the anchor. */
    record AnchorProof(Key key, Token token) {}

    /** What became of it. */
    sealed interface Outcome {}

    /**
     * It was granted.
     *
     * @param found whether the grant was there before, made when it was asked for with the same token through another
     *     client. The holder may know it from there, so it is not given back
     */
    record Granted(Entry entry, boolean found) implements Outcome {
        public Granted(Entry entry) {
            this(entry, false);
        }
    }

    /**
     * Somebody else holds it.
     *
     * @param remaining how long until others may take it, unless its holder renews or releases it; at most its term
     */
    record Held(Key key, Holder holder, Fence fence, Duration remaining) implements Outcome {}

    /** It is done. */
    record Done(Key key, Instant doneAt) implements Outcome {}
}
