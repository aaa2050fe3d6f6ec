package dev.holdfast.dynamodb;

import dev.holdfast.StoreException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The oldest formats whose code may read and write a table or one item.
 *
 * <p>A format is a number that grows when older code would misread what newer code writes. Format 1 records nothing, so
 * that it costs nothing and code from before there were formats can use its tables. A later format puts these limits on
 * each item that older code must not use and, for what no single item shows, on the item {@link #TABLE_KEY}, which only
 * {@code store upgrade} writes. Its key has no slash, so it is the key of no lease.
 */
public record FormatLimits(long minReader, long minWriter) {
    /** The format that this code writes, and the newest that it understands. */
    public static final long OWN = 1;

    static final String TABLE_KEY = "holdfast-format";
    static final String MIN_READER = "min_reader";
    static final String MIN_WRITER = "min_writer";

    private static final FormatLimits NONE = new FormatLimits(1, 1);

    /** What {@code item} says; limits that it does not have are 1. */
    static FormatLimits of(Map<String, AttributeValue> item) {
        if (!item.containsKey(MIN_READER) && !item.containsKey(MIN_WRITER)) {
            return NONE;
        }
        return new FormatLimits(number(item.get(MIN_READER)), number(item.get(MIN_WRITER)));
    }

    /** A limit that is no number is of a format that we cannot know, so nothing is done with it. */
    private static long number(@Nullable AttributeValue value) {
        if (value == null) {
            return 1;
        }
        try {
            return Long.parseLong(String.valueOf(value.n()));
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    static boolean isTableKey(Map<String, AttributeValue> item) {
        AttributeValue key = item.get(ItemAttribute.KEY.text());
        return key != null && TABLE_KEY.equals(key.s());
    }

    public boolean isReadable() {
        return minReader <= OWN;
    }

    public boolean isWritable() {
        return isReadable() && minWriter <= OWN;
    }

    /** @throws StoreException if only newer code may read {@code what} */
    void requireReadable(String what) {
        if (!isReadable()) {
            throw tooNew(what, "read", minReader);
        }
    }

    /** @throws StoreException if only newer code may write {@code what} */
    public void requireWritable(String what) {
        requireReadable(what);
        if (!isWritable()) {
            throw tooNew(what, "written", minWriter);
        }
    }

    private static StoreException tooNew(String what, String done, long needed) {
        return StoreException.rejected(
                "DynamoDB: " + what + " can only be " + done
                        + " by a newer version of Holdfast, which understands format "
                        + (needed == Long.MAX_VALUE ? "of another kind" : String.valueOf(needed))
                        + " (this one understands format " + OWN + "); upgrade this program",
                null);
    }
}
