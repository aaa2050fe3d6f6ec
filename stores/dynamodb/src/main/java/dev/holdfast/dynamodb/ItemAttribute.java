package dev.holdfast.dynamodb;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attributes of an item of the native layout, by their names in the table. */
enum ItemAttribute {
    /** The partition key: see {@link ItemKeyText}. */
    KEY("key"),
    VERSION("version"),
    STATE("state"),
    FENCE("fence"),
    GRANTS("grants"),
    TOKEN("token"),
    HOLDER("holder"),
    TERM_MILLIS("term_millis"),
    /**
     * Absent if equal to the version: a beat has the id of the write that made it, until another write keeps the beat.
     */
    BEAT("beat"),
    GRANTED_AT("granted_at"),
    ANCHOR("anchor"),
    ANCHOR_FENCE("anchor_fence"),
    /** Absent if there are none. */
    ATTRIBUTES("attributes"),
    /** The last grants that have ended: see {@link HistoryRoom}. Absent if there are none. */
    HISTORY("history"),
    CREATED_AT("created_at"),
    DONE_AT("done_at"),
    /** When a beat was written: see {@link BeatStamps}. A write that keeps the beat does not change it. */
    STAMP("stamp"),
    /** The time, in seconds, from which DynamoDB may remove the item. Only free items have it. */
    TTL("ttl");

    static final Set<String> NAMES =
            Stream.of(values()).map(ItemAttribute::text).collect(Collectors.toUnmodifiableSet());

    private final String text;

    ItemAttribute(String text) {
        this.text = text;
    }

    /** Returns the name in the table. */
    String text() {
        return text;
    }

    static AttributeValue of(String text) {
        return AttributeValue.fromS(text);
    }

    static AttributeValue of(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    /** Puts a value: a whole number, or the text of anything else. */
    void put(Map<ItemAttribute, AttributeValue> item, Object value) {
        item.put(this, value instanceof Long number ? of(number) : of(value.toString()));
    }

    Optional<String> findIn(Map<String, AttributeValue> item) {
        @Nullable AttributeValue value = item.get(text);
        return Optional.ofNullable(value).map(it -> it.n() != null ? it.n() : it.s());
    }

    String in(Map<String, AttributeValue> item) {
        return findIn(item).orElseThrow(() -> new IllegalArgumentException("no " + text));
    }

    long numberIn(Map<String, AttributeValue> item) {
        return Long.parseLong(in(item));
    }

    Instant timeIn(Map<String, AttributeValue> item) {
        try {
            return Instant.parse(in(item));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(text + ": " + in(item), e);
        }
    }

    Optional<byte[]> bytesIn(Map<String, AttributeValue> item) {
        @Nullable AttributeValue value = item.get(text);
        if (value != null && value.b() == null) {
            throw new IllegalArgumentException("no bytes in " + text);
        }
        return Optional.ofNullable(value).map(it -> it.b().asByteArray());
    }
}
