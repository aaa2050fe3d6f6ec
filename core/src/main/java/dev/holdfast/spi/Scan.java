package dev.holdfast.spi;

import dev.holdfast.internal.Check;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Holder;
import dev.holdfast.model.State;
import dev.holdfast.model.Token;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one page of the entries that match all that is given. State is as stored: {@code HELD} may have expired.
 *
 * @param prefix of the namespace; empty matches all
 * @param cursor where the page before ended; null for the first page
 * @param limit the most entries of a page
 */
public record Scan(
        String prefix,
        @Nullable State state,
        @Nullable Holder holder,
        @Nullable Token token,
        @Nullable String cursor,
        int limit) {
    public Scan {
        if (limit < 1) {
            throw Check.bad("limit", limit, ">= 1");
        }
    }

    /** The first page of everything below a namespace prefix. */
    public static Scan of(String prefix, int limit) {
        return new Scan(prefix, null, null, null, null, limit);
    }

    /** The same question, from where {@code page} ended. */
    public Scan after(String newCursor) {
        return new Scan(prefix, state, holder, token, newCursor, limit);
    }

    public Scan withState(State newState) {
        return new Scan(prefix, newState, holder, token, cursor, limit);
    }

    public Scan withHolder(Holder newHolder) {
        return new Scan(prefix, state, newHolder, token, cursor, limit);
    }

    public Scan withToken(Token newToken) {
        return new Scan(prefix, state, holder, newToken, cursor, limit);
    }

    /** Whether an entry matches, wherever the page begins. */
    public boolean matches(Entry entry) {
        return entry.key().namespace().startsWith(prefix)
                && (state == null || state == entry.state())
                && (holder == null
                        || (entry.grant() != null && holder.equals(entry.grant().holder())))
                && (token == null || entry.isOf(token));
    }
}
