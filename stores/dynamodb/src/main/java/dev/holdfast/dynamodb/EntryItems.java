package dev.holdfast.dynamodb;

import dev.holdfast.Attributes;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.KeptEntries;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Conversion between entries and items. A value that an entry lacks is also absent from its item. */
final class EntryItems {
    private EntryItems() {}

    static Map<String, AttributeValue> key(Key key) {
        return Map.of(ItemAttribute.KEY.text(), ItemAttribute.of(ItemKeyText.of(key)));
    }

    /** Returns all attributes of an entry except its key, stamp, expiry and history. */
    static Map<ItemAttribute, AttributeValue> of(Entry entry) {
        Map<ItemAttribute, AttributeValue> item = new EnumMap<>(ItemAttribute.class);
        ItemAttribute.VERSION.put(item, entry.version());
        ItemAttribute.STATE.put(item, entry.state().name());
        ItemAttribute.FENCE.put(item, entry.fence().value());
        ItemAttribute.GRANTS.put(item, entry.grants());
        if (entry.attributes().encodedSize() > Attributes.NONE.encodedSize()) {
            SdkBytes encoded = SdkBytes.fromByteArrayUnsafe(entry.attributes().encoded());
            item.put(ItemAttribute.ATTRIBUTES, AttributeValue.fromB(encoded));
        }
        ItemAttribute.CREATED_AT.put(item, entry.createdAt());
        if (entry.doneAt() != null) {
            ItemAttribute.DONE_AT.put(item, entry.doneAt());
        }
        if (entry.grant() != null) {
            put(entry.grant(), item);
            if (!entry.grant().beat().id().equals(entry.version().id())) {
                ItemAttribute.BEAT.put(item, entry.grant().beat());
            }
        }
        return item;
    }

    private static void put(Grant grant, Map<ItemAttribute, AttributeValue> item) {
        ItemAttribute.TOKEN.put(item, grant.token().secret());
        ItemAttribute.HOLDER.put(item, grant.holder().name());
        ItemAttribute.TERM_MILLIS.put(item, grant.term().duration().toMillis());
        ItemAttribute.GRANTED_AT.put(item, grant.grantedAt());
        AnchorRef anchor = grant.anchor();
        if (anchor != null) {
            ItemAttribute.ANCHOR.put(item, ItemKeyText.of(anchor.key()));
            ItemAttribute.ANCHOR_FENCE.put(item, anchor.fence().value());
        }
    }

    /** @throws StoreException if the item cannot be Holdfast's, or has a format that this code cannot read */
    static Entry entry(Map<String, AttributeValue> item) {
        FormatLimits.of(item).requireReadable(name(item));
        try {
            Version version = Version.parse(ItemAttribute.VERSION.in(item));
            Instant createdAt = ItemAttribute.CREATED_AT.timeIn(item);
            return new Entry(
                    ItemKeyText.parse(ItemAttribute.KEY.in(item)),
                    version,
                    LeaseState.valueOf(ItemAttribute.STATE.in(item)),
                    Fence.of(ItemAttribute.FENCE.numberIn(item)),
                    ItemAttribute.GRANTS.numberIn(item),
                    grant(item),
                    ItemAttribute.ATTRIBUTES
                            .bytesIn(item)
                            .map(Attributes::decode)
                            .orElse(Attributes.NONE),
                    createdAt,
                    ItemAttribute.DONE_AT.findIn(item).isPresent() ? ItemAttribute.DONE_AT.timeIn(item) : null,
                    GrantHistory.decode(ItemAttribute.HISTORY.bytesIn(item).orElse(null), createdAt));
        } catch (IllegalArgumentException e) {
            throw StoreException.rejected("DynamoDB: " + name(item) + " is not Holdfast's: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the time from which DynamoDB may remove a free key. It is a week after the latest of three times: when the
     * key was freed, when it was created, and when the time of its fence passed. By then any clock gives a larger fence.
     * Held and done keys never expire by themselves, nor do entries that no clean-up may remove.
     */
    static Optional<AttributeValue> expiry(Entry entry, Instant now) {
        if (entry.state() != LeaseState.FREE || KeptEntries.isKept(entry)) {
            return Optional.empty();
        }
        Instant fence = Instant.EPOCH.plus(entry.fence().value(), ChronoUnit.MICROS);
        Instant last =
                Stream.of(now, fence, entry.createdAt()).max(Instant::compareTo).orElseThrow();
        // One second more, because the service compares whole seconds.
        return Optional.of(ItemAttribute.of(last.plus(CleanUpOptions.IDLE_MIN).getEpochSecond() + 1));
    }

    /** Returns the name of an item for messages. */
    static String name(Map<String, AttributeValue> item) {
        return "the item " + ItemAttribute.KEY.findIn(item).orElse("?");
    }

    /**
     * Returns whether the item has attributes that this code does not know, of a newer format or of another program.
     */
    static boolean hasOthers(Map<String, AttributeValue> item) {
        return !ItemAttribute.NAMES.containsAll(item.keySet());
    }

    private static @Nullable Grant grant(Map<String, AttributeValue> item) {
        return ItemAttribute.TOKEN
                .findIn(item)
                .map(token -> new Grant(
                        Token.parse(token),
                        Holder.of(ItemAttribute.HOLDER.in(item)),
                        Term.ofMillis(ItemAttribute.TERM_MILLIS.numberIn(item)),
                        Beat.parse(ItemAttribute.BEAT.findIn(item).orElseGet(() -> ItemAttribute.VERSION.in(item))),
                        ItemAttribute.GRANTED_AT.timeIn(item),
                        anchor(item)))
                .orElse(null);
    }

    private static @Nullable AnchorRef anchor(Map<String, AttributeValue> item) {
        return ItemAttribute.ANCHOR
                .findIn(item)
                .map(text ->
                        new AnchorRef(ItemKeyText.parse(text), Fence.of(ItemAttribute.ANCHOR_FENCE.numberIn(item))))
                .orElse(null);
    }
}
