package dev.holdfast.history;

import dev.holdfast.support.ArgumentCheck;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last grants of a key that have ended, oldest first. The current grant is not among them: it is in the entry.
 *
 * <p>A client that does not keep histories, or an older one, records nothing when it ends a grant. Then the number of
 * that grant is missing here, while the entry has counted it. Nothing fills such a gap later.
 *
 * <p>A history belongs to one life of its key, from its creation to its deletion. An older client that deletes a key
 * leaves the stored history behind; {@link #decode} rejects it then.
 *
 * <p>Immutable. It is kept as bytes, and read only when needed: every renewal carries it, and few of them look at it.
 */
public final class GrantHistory {
    /** Most lines of a history: with the longest names they take 33 KB, and usually less than 1 KB. */
    public static final int MOST_LINES = 50;

    /** The lines that are kept unless the URL of the store or the options of the client say otherwise. */
    public static final int USUAL_LINES = 5;

    public static final GrantHistory NONE = new GrantHistory(new byte[0]);

    private final byte[] encoded;
    /** Computed when first needed; a second computation by another thread does no harm. */
    private @Nullable List<PastGrant> lines;

    private GrantHistory(byte[] encoded) {
        this.encoded = encoded;
    }

    /**
     * The history with these lines.
     *
     * @param createdAt when the key was created, see {@link dev.holdfast.store.Entry#createdAt}
     * @param lines oldest first, their numbers and fences strictly ascending
     */
    public static GrantHistory of(Instant createdAt, List<PastGrant> lines) {
        if (lines.size() > MOST_LINES) {
            throw ArgumentCheck.bad("history", lines.size() + " lines", "<= " + MOST_LINES + " lines");
        }
        return lines.isEmpty() ? NONE : new GrantHistory(HistoryCodec.encode(createdAt, lines));
    }

    /**
     * The history that a store has kept. It is {@link #NONE} if the bytes belong to an earlier life of the key, or are
     * damaged: a history is for people, and must not keep a lease from its holder.
     *
     * @param encoded null if the store has none
     * @param createdAt when the key was created, as stored
     */
    public static GrantHistory decode(byte @Nullable [] encoded, Instant createdAt) {
        return encoded == null || encoded.length == 0 || !HistoryCodec.isOf(createdAt, encoded)
                ? NONE
                : new GrantHistory(encoded.clone());
    }

    /** Returns {@code length} if histories can have so many lines at most. */
    public static int requireLength(int length) {
        if (length < 0 || length > MOST_LINES) {
            throw ArgumentCheck.bad("history", length, "0 to " + MOST_LINES);
        }
        return length;
    }

    /** The bytes that a store keeps; none if there are no lines. */
    public byte[] encoded() {
        return encoded.clone();
    }

    /** The number of bytes that a store keeps. */
    public int encodedSize() {
        return encoded.length;
    }

    public boolean isEmpty() {
        return encoded.length == 0;
    }

    /** Whether this code can read it. A newer version of Holdfast may have written it in another format. */
    public boolean isReadable() {
        return isEmpty() || HistoryCodec.isKnown(encoded);
    }

    /** The lines, oldest first; none if it is not readable. */
    public List<PastGrant> lines() {
        List<PastGrant> known = lines;
        if (known == null) {
            known = isEmpty() ? List.of() : HistoryCodec.decode(encoded);
            lines = known;
        }
        return known;
    }

    /**
     * The last lines that take at most {@code bytes}; all of them if it is not readable.
     *
     * @param createdAt when the key was created
     */
    public GrantHistory within(int bytes, Instant createdAt) {
        GrantHistory kept = this;
        for (int from = 1; isReadable() && kept.encodedSize() > bytes; from++) {
            List<PastGrant> all = lines();
            kept = from < all.size() ? of(createdAt, all.subList(from, all.size())) : NONE;
        }
        return kept;
    }

    /** The last line. */
    public Optional<PastGrant> last() {
        List<PastGrant> all = lines();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GrantHistory history && Arrays.equals(encoded, history.encoded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }

    @Override
    public String toString() {
        return isReadable() ? lines().toString() : "a history of a newer format";
    }
}
