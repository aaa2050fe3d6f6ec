package dev.holdfast.dynamodb;

import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.table.DynamoTable;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Oldest formats of code that may read and write a table or one item.
 *
 * <p>A format is a number that grows when older code would misread data written by newer code. Format 1 records
 * nothing, so it costs nothing, and code from before there were formats can use its tables. A later format puts these
 * limits on each item that older code must not use. For changes that no single item shows, it puts them on the item
 * {@link #TABLE_KEY}, which only {@code store upgrade} writes. Its key has no slash, so it is the key of no lease.
 */
record FormatLimits(long minReader, long minWriter) {
    /** The format that this code writes, and the newest that it understands. */
    static final long OWN = 1;

    static final String TABLE_KEY = "holdfast-format";
    static final String MIN_READER = "min_reader";
    static final String MIN_WRITER = "min_writer";

    private static final FormatLimits NONE = new FormatLimits(1, 1);

    /** Reads the limits of a table. Only our own layout has formats, but this reads an item in any case. */
    static FormatLimits of(DynamoTable dynamoTable) {
        return of(dynamoTable.get(dynamoTable.url().shape().formatKey()));
    }

    /** Returns the limits of {@code item}; missing limits are 1. */
    static FormatLimits of(Map<String, AttributeValue> item) {
        if (!item.containsKey(MIN_READER) && !item.containsKey(MIN_WRITER)) {
            return NONE;
        }
        return new FormatLimits(number(item.get(MIN_READER)), number(item.get(MIN_WRITER)));
    }

    /** A limit that is not a number belongs to an unknown format, so such an item is neither read nor written. */
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

    boolean isReadable() {
        return minReader <= OWN;
    }

    boolean isWritable() {
        return isReadable() && minWriter <= OWN;
    }

    /** @throws StoreException if only newer code may read {@code subject} */
    void requireReadable(String subject) {
        if (!isReadable()) {
            throw tooNew(subject, "read", minReader);
        }
    }

    /** @throws StoreException if only newer code may write {@code subject} */
    void requireWritable(String subject) {
        requireReadable(subject);
        if (!isWritable()) {
            throw tooNew(subject, "written", minWriter);
        }
    }

    private static StoreException tooNew(String subject, String verb, long needed) {
        return StoreException.rejected(
                "DynamoDB: " + subject + " can only be " + verb
                        + " by a newer version of Holdfast, which understands format "
                        + (needed == Long.MAX_VALUE ? "of another kind" : String.valueOf(needed))
                        + " (this one understands format " + OWN + "); upgrade this program",
                null);
    }
}
