package dev.holdfast.dynamodb;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.store.Term;
import dev.holdfast.Token;
import dev.holdfast.rules.FenceRules;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Version;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Conversion between entries and items. A value that an entry lacks is also absent from its item. */
final class EntryItems {
    private EntryItems() {}

    static Map<String, AttributeValue> key(Key key) {
        return Map.of(ItemAttribute.KEY.text(), ItemAttribute.of(ItemKeyText.of(key)));
    }

    /** Returns all attributes of an entry except its key, stamp and expiry. */
    static Map<ItemAttribute, AttributeValue> of(Entry entry) {
        Map<ItemAttribute, AttributeValue> item = new EnumMap<>(ItemAttribute.class);
        item.put(ItemAttribute.VERSION, ItemAttribute.of(entry.version().toString()));
        item.put(ItemAttribute.STATE, ItemAttribute.of(entry.state().name()));
        item.put(ItemAttribute.FENCE, ItemAttribute.of(entry.fence().value()));
        item.put(ItemAttribute.GRANTS, ItemAttribute.of(entry.grants()));
        if (entry.attributes().encodedSize() > Attributes.NONE.encodedSize()) {
            item.put(
                    ItemAttribute.ATTRIBUTES,
                    ItemAttribute.of(entry.attributes().encoded()));
        }
        item.put(ItemAttribute.CREATED_AT, ItemAttribute.of(entry.createdAt().toString()));
        if (entry.doneAt() != null) {
            item.put(ItemAttribute.DONE_AT, ItemAttribute.of(entry.doneAt().toString()));
        }
        if (entry.grant() != null) {
            put(entry.grant(), item);
            if (!entry.grant().beat().id().equals(entry.version().id())) {
                item.put(
                        ItemAttribute.BEAT,
                        ItemAttribute.of(entry.grant().beat().toString()));
            }
        }
        return item;
    }

    private static void put(Grant grant, Map<ItemAttribute, AttributeValue> item) {
        item.put(ItemAttribute.TOKEN, ItemAttribute.of(grant.token().secret()));
        item.put(ItemAttribute.HOLDER, ItemAttribute.of(grant.holder().name()));
        item.put(
                ItemAttribute.TERM_MILLIS,
                ItemAttribute.of(grant.term().duration().toMillis()));
        item.put(ItemAttribute.GRANTED_AT, ItemAttribute.of(grant.grantedAt().toString()));
        AnchorRef anchor = grant.anchor();
        if (anchor != null) {
            item.put(ItemAttribute.ANCHOR, ItemAttribute.of(ItemKeyText.of(anchor.key())));
            item.put(ItemAttribute.ANCHOR_FENCE, ItemAttribute.of(anchor.fence().value()));
        }
    }

    /** @throws StoreException if the item cannot be Holdfast's, or has a format that this code cannot read */
    static Entry entry(Map<String, AttributeValue> item) {
        FormatLimits.of(item).requireReadable(name(item));
        try {
            return new Entry(
                    ItemKeyText.parse(ItemAttribute.KEY.in(item)),
                    Version.parse(ItemAttribute.VERSION.in(item)),
                    LeaseState.valueOf(ItemAttribute.STATE.in(item)),
                    Fence.of(ItemAttribute.FENCE.numberIn(item)),
                    ItemAttribute.GRANTS.numberIn(item),
                    grant(item),
                    ItemAttribute.ATTRIBUTES
                            .bytesIn(item)
                            .map(Attributes::decode)
                            .orElse(Attributes.NONE),
                    ItemAttribute.CREATED_AT.timeIn(item),
                    ItemAttribute.DONE_AT.findIn(item).isPresent() ? ItemAttribute.DONE_AT.timeIn(item) : null);
        } catch (IllegalArgumentException e) {
            throw StoreException.rejected("DynamoDB: " + name(item) + " is not Holdfast's: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the time from which DynamoDB may remove a free key. It is a week after the latest of three times: when the
     * key was freed, when it was created, and when the time of its fence passed. By then any clock gives a larger fence.
     * Held and done keys never expire by themselves.
     */
    static Optional<AttributeValue> expiry(Entry entry, Instant now) {
        if (entry.state() != LeaseState.FREE) {
            return Optional.empty();
        }
        Instant fence = Instant.EPOCH.plus(entry.fence().value(), ChronoUnit.MICROS);
        Instant last =
                Stream.of(now, fence, entry.createdAt()).max(Instant::compareTo).orElseThrow();
        // One second more, because the service compares whole seconds.
        return Optional.of(ItemAttribute.of(last.plus(FenceRules.IDLE_MIN).getEpochSecond() + 1));
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
