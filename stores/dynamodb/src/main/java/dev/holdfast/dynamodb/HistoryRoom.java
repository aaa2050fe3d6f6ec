package dev.holdfast.dynamodb;

import dev.holdfast.history.GrantHistory;
import dev.holdfast.store.Entry;
import dev.holdfast.support.ArgumentCheck;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The part of a history that is stored in an item. A write costs a unit for each 1,024 bytes of its item, and so does
 * every renewal. So an item keeps only as many lines, the last ones, as fit into the units that it costs anyway.
 *
 * @param isLimited false if the URL of the store asks for a number of lines: then all of them are stored
 */
record HistoryRoom(boolean isLimited) {
    private static final int UNIT_BYTES = 1024;

    /** Attributes that some writes of an entry have and others lack: beat, stamp, done time, time to live. */
    private static final int RESERVED_BYTES = 160;

    /** Returns the history of {@code entry} for an item with the attributes {@code item}, which lack it. */
    Optional<AttributeValue> of(Entry entry, Map<ItemAttribute, AttributeValue> item) {
        GrantHistory history = entry.history();
        if (isLimited && !history.isEmpty()) {
            history = history.within(room(entry, item), entry.createdAt());
        }
        return history.isEmpty()
                ? Optional.empty()
                : Optional.of(AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(history.encoded())));
    }

    private static int room(Entry entry, Map<ItemAttribute, AttributeValue> item) {
        int bytes = ItemAttribute.KEY.text().length()
                + ArgumentCheck.utf8Length(ItemKeyText.of(entry.key()))
                + ItemAttribute.HISTORY.text().length()
                + RESERVED_BYTES;
        for (Map.Entry<ItemAttribute, AttributeValue> one : item.entrySet()) {
            if (!isReserved(one.getKey())) {
                bytes += one.getKey().text().length() + bytes(one.getValue());
            }
        }
        return (UNIT_BYTES - bytes % UNIT_BYTES) % UNIT_BYTES;
    }

    private static boolean isReserved(ItemAttribute attribute) {
        return switch (attribute) {
            case BEAT, STAMP, DONE_AT, TTL -> true;
            default -> false;
        };
    }

    /** DynamoDB documents the size of a number only roughly; this is the upper end. */
    private static int bytes(AttributeValue value) {
        if (value.n() != null) {
            return value.n().length() / 2 + 2;
        }
        return value.b() != null ? value.b().asByteArrayUnsafe().length : ArgumentCheck.utf8Length(value.s());
    }
}
