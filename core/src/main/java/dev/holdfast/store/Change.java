package dev.holdfast.store;

import dev.holdfast.Key;
import dev.holdfast.support.ArgumentCheck;
import org.jspecify.annotations.Nullable;

/**
 * One compare-and-set: if the entry of {@code key} is still at version {@code expected}, make it {@code next}.
 *
 * @param expected null: only if there is no entry
 * @param next null: remove the entry (clean-up only)
 * @param isNewGrant a hint for stores that write a new grant in another way than a renewal: whether the token is known
 *     to change. It decides nothing: stores must write {@code next} in either case.
 */
public record Change(
        Key key, @Nullable Version expected, @Nullable Entry next, boolean isNewGrant) {
    public Change {
        if (expected == null && next == null) {
            throw ArgumentCheck.bad("change", key, "an expected version, a next entry, or both");
        }
        if (next != null && !next.key().equals(key)) {
            throw ArgumentCheck.bad("change", next.key(), "the key " + key);
        }
        if (next != null && next.version().equals(expected)) {
            throw ArgumentCheck.bad("change", key, "a version that was never used");
        }
    }

    /** A change without a hint. */
    public Change(Key key, @Nullable Version expected, @Nullable Entry next) {
        this(key, expected, next, false);
    }

    /** Creates the entry if there is none. */
    public static Change insert(Entry next) {
        return new Change(next.key(), null, next, next.grant() != null);
    }

    /** Replaces the entry if it is still at {@code expected}. */
    public static Change replace(Version expected, Entry next) {
        return new Change(next.key(), expected, next, false);
    }

    /** Replaces {@code seen} if it is still the current entry. */
    public static Change replace(Entry seen, Entry next) {
        Grant before = seen.grant();
        Grant after = next.grant();
        boolean isNewGrant = after != null && (before == null || !before.token().equals(after.token()));
        return new Change(next.key(), seen.version(), next, isNewGrant);
    }

    /** Removes the entry if it is still at {@code expected}. */
    public static Change remove(Key key, Version expected) {
        return new Change(key, expected, null, false);
    }
}
