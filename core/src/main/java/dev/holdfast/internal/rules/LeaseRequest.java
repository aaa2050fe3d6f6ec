package dev.holdfast.internal.rules;

import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Term;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What somebody wants done to one key. */
public sealed interface LeaseRequest {
    /**
     * Grant the key to {@code holder}. Sent again with the same token, it is the same request.
     *
     * @param anchor what shall keep the lease alive; null for its own beat
     * @param onlyIfNew whether {@code attributes} are for a key that was never granted, and another keeps what it has
     */
    record Acquire(
            Token token,
            Holder holder,
            Term term,
            AttributePatch attributes,
            @Nullable AnchorRef anchor,
            boolean onlyIfNew)
            implements LeaseRequest {
        public Acquire(Token token, Holder holder, Term term, AttributePatch attributes, @Nullable AnchorRef anchor) {
            this(token, holder, term, attributes, anchor, false);
        }
    }

    /**
     * Begin a new term for whoever has {@code token}; a null term keeps the length it had.
     *
     * @param successor the token from then on; null to keep it. It is as good a proof as {@code token}: an earlier
     *     attempt with it may have been applied without our hearing of it.
     * @param holder the name of the holder from then on; null to keep it
     */
    record Renew(
            Token token,
            @Nullable Term term,
            AttributePatch attributes,
            @Nullable Token successor,
            @Nullable Holder holder)
            implements LeaseRequest {
        public Renew(Token token, @Nullable Term term, AttributePatch attributes) {
            this(token, term, attributes, null);
        }

        public Renew(Token token, @Nullable Term term, AttributePatch attributes, @Nullable Token successor) {
            this(token, term, attributes, successor, null);
        }

        boolean isProvedBy(Entry entry) {
            return entry.isHeldBy(token) || (successor != null && entry.isHeldBy(successor));
        }
    }

    /** Give the key up. */
    record Release(Token token) implements LeaseRequest {}

    /** Give the key up to {@code next}, who waits for it. Either both come true or neither. */
    record HandOver(Token token, Acquire next) implements LeaseRequest {}

    /**
     * Free a grant that nobody was told of. Its beat tells whether it was asked for, and granted, again: then it is
     * somebody's.
     */
    record GiveBack(Token token, Beat beat) implements LeaseRequest {}

    /** Finish the key, for ever. */
    record Done(Token token, AttributePatch attributes) implements LeaseRequest {}

    /** Change the attributes of a held key, and nothing else. */
    record Update(Token token, AttributePatch attributes) implements LeaseRequest {}

    /** Make a done key free again. */
    record Reopen() implements LeaseRequest {}

    /** Forget all of a key but its fence; {@code token} lets its own holder do it. */
    record Delete(@Nullable Token token) implements LeaseRequest {}

    /** Free a key whose holder has been silent for too long. */
    record EvictSilent() implements LeaseRequest {}

    /** Free a key whoever holds it. */
    record EvictByForce() implements LeaseRequest {}

    /**
     * Remove a key that has been idle for so long that nothing is lost with it.
     *
     * @param keepDone how long a done key is kept after it was done; null: for ever
     */
    record CleanUp(@Nullable Duration keepDone) implements LeaseRequest {}

    /**
     * Write a row of another tool, unless Holdfast has written the key since.
     *
     * @param token of the row's last grant, or, if that had none, one that was drawn and is shown to no caller
     */
    record Import(ImportedRow row, Token token) implements LeaseRequest {}

    /** The token that it asks a grant for; null if for none. */
    default @Nullable Token grantee() {
        if (this instanceof Acquire acquire) {
            return acquire.token;
        }
        return this instanceof HandOver handOver ? handOver.next.token : null;
    }

    /**
     * Whether it may be decided anew although it may have been applied already. Not if doing it twice, with the key
     * having moved on in between, would undo what happened there: a later update of the same attribute, for example.
     */
    default boolean repeatsHarmlessly() {
        boolean changesAttributes = this instanceof Update
                || (this instanceof Renew renew && !renew.attributes().isEmpty());
        return !(changesAttributes || this instanceof Reopen || this instanceof Delete || this instanceof EvictByForce);
    }
}
