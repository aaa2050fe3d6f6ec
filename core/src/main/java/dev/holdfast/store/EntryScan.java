package dev.holdfast.store;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.support.ArgumentCheck;
import org.jspecify.annotations.Nullable;

/**
 * The request for one page of the entries that match all given criteria. The state is the stored one: {@code HELD} may
 * have expired.
 *
 * @param prefix of the namespace, empty matches all; with a {@code namePrefix}, the whole namespace
 * @param namePrefix of the name; null matches all names
 * @param cursor where the previous page ended; null for the first page
 * @param limit the most entries of a page
 */
public record EntryScan(
        String prefix,
        @Nullable String namePrefix,
        @Nullable LeaseState state,
        @Nullable Holder holder,
        @Nullable Token token,
        @Nullable String cursor,
        int limit) {
    public EntryScan {
        if (limit < 1) {
            throw ArgumentCheck.bad("limit", limit, ">= 1");
        }
    }

    /** The first page of everything below a namespace prefix. */
    public static EntryScan of(String prefix, int limit) {
        return new EntryScan(prefix, null, null, null, null, null, limit);
    }

    /** The first page of the keys of one namespace whose names begin with {@code namePrefix}. */
    public static EntryScan ofNames(String namespace, String namePrefix, int limit) {
        return new EntryScan(namespace, namePrefix, null, null, null, null, limit);
    }

    /** The same scan, continued after {@code newCursor}. */
    public EntryScan after(String newCursor) {
        return new EntryScan(prefix, namePrefix, state, holder, token, newCursor, limit);
    }

    public EntryScan withState(LeaseState newState) {
        return new EntryScan(prefix, namePrefix, newState, holder, token, cursor, limit);
    }

    public EntryScan withHolder(Holder newHolder) {
        return new EntryScan(prefix, namePrefix, state, newHolder, token, cursor, limit);
    }

    public EntryScan withToken(Token newToken) {
        return new EntryScan(prefix, namePrefix, state, holder, newToken, cursor, limit);
    }

    /**
     * The smallest text above all texts that begin with the prefix, in the order of code points; null if there is none.
     * Together with the prefix, it is a range of an index.
     */
    public @Nullable String prefixEnd() {
        return endOf(prefix);
    }

    /** The same for the prefix of the name; null if there is none, or no prefix. */
    public @Nullable String namePrefixEnd() {
        return namePrefix == null ? null : endOf(namePrefix);
    }

    private static @Nullable String endOf(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                // Surrogates are not characters, so no text contains one.
                int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
                return prefix.substring(0, end) + Character.toString(next);
            }
        }
        return null;
    }

    /** Whether an entry matches the criteria, regardless of the cursor. */
    public boolean matches(Entry entry) {
        return matchesKey(entry.key())
                && (state == null || state == entry.state())
                && (holder == null
                        || (entry.grant() != null && holder.equals(entry.grant().holder())))
                && (token == null || entry.isOf(token));
    }

    private boolean matchesKey(Key key) {
        return namePrefix == null
                ? key.namespace().startsWith(prefix)
                : key.namespace().equals(prefix) && key.name().startsWith(namePrefix);
    }
}
