package dev.holdfast.store;

import dev.holdfast.Holder;
import dev.holdfast.Token;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last grant of a key. A free or done entry keeps it, so that a repeated release or done request is recognized by
 * its token.
 *
 * @param grantedAt by the wall clock of the writer: for people, never for a decision
 * @param anchor the anchor that keeps this grant alive; null if the grant is renewed itself
 */
public record Grant(
        Token token,
        Holder holder,
        Term term,
        Beat beat,
        Instant grantedAt,
        @Nullable AnchorRef anchor) {
    /** The same grant after a renewal. */
    public Grant renewed(Beat newBeat, Term newTerm) {
        return new Grant(token, holder, newTerm, newBeat, grantedAt, anchor);
    }

    /** The same grant under another name of its holder. */
    public Grant withHolder(Holder newHolder) {
        return new Grant(token, newHolder, term, beat, grantedAt, anchor);
    }

    /** The same grant, proved by another token from now on. */
    public Grant withToken(Token newToken) {
        return new Grant(newToken, holder, term, beat, grantedAt, anchor);
    }
}
