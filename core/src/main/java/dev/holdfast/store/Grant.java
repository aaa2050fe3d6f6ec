package dev.holdfast.store;

import dev.holdfast.Holder;
import dev.holdfast.Term;
import dev.holdfast.Token;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last grant of a key. A free or done entry keeps it, so that the token of a release that was heard twice still
 * fits.
 *
 * @param grantedAt by the wall clock of whoever wrote it: for people, never for a decision
 * @param anchor what keeps this grant alive; null if it is its own beat
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
