package dev.holdfast.dynamodb;

import dev.holdfast.model.AnchorRef;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Beat;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import dev.holdfast.model.Version;
import dev.holdfast.spi.StoreException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Entries as items. What an entry does not have, its item does not have either. */
final class Items {
    private Items() {}

    static Map<String, AttributeValue> key(Key key) {
        return Map.of(Attribute.KEY.text(), Attribute.of(KeyText.of(key)));
    }

    /** All of an entry but its key, stamp and end. */
    static Map<Attribute, AttributeValue> of(Entry entry) {
        Map<Attribute, AttributeValue> item = new EnumMap<>(Attribute.class);
        item.put(Attribute.VERSION, Attribute.of(entry.version().toString()));
        item.put(Attribute.STATE, Attribute.of(entry.state().name()));
        item.put(Attribute.FENCE, Attribute.of(entry.fence().value()));
        item.put(Attribute.GRANTS, Attribute.of(entry.grants()));
        if (!entry.attributes().equals(Attributes.NONE)) {
            item.put(Attribute.ATTRIBUTES, Attribute.of(entry.attributes().encoded()));
        }
        item.put(Attribute.CREATED_AT, Attribute.of(entry.createdAt().toString()));
        if (entry.doneAt() != null) {
            item.put(Attribute.DONE_AT, Attribute.of(entry.doneAt().toString()));
        }
        if (entry.grant() != null) {
            put(entry.grant(), item);
            if (!entry.grant().beat().id().equals(entry.version().id())) {
                item.put(Attribute.BEAT, Attribute.of(entry.grant().beat().toString()));
            }
        }
        return item;
    }

    private static void put(Grant grant, Map<Attribute, AttributeValue> item) {
        item.put(Attribute.TOKEN, Attribute.of(grant.token().secret()));
        item.put(Attribute.HOLDER, Attribute.of(grant.holder().name()));
        item.put(Attribute.TERM_MILLIS, Attribute.of(grant.term().duration().toMillis()));
        item.put(Attribute.GRANTED_AT, Attribute.of(grant.grantedAt().toString()));
        AnchorRef anchor = grant.anchor();
        if (anchor != null) {
            item.put(Attribute.ANCHOR, Attribute.of(KeyText.of(anchor.key())));
            item.put(Attribute.ANCHOR_FENCE, Attribute.of(anchor.fence().value()));
        }
    }

    /** @throws StoreException if the item is none that Holdfast wrote, or is of a format that this code cannot read */
    static Entry entry(Map<String, AttributeValue> item) {
        FormatLimits.of(item).requireReadable(name(item));
        try {
            return new Entry(
                    KeyText.parse(Attribute.KEY.in(item)),
                    Version.parse(Attribute.VERSION.in(item)),
                    State.valueOf(Attribute.STATE.in(item)),
                    Fence.of(Attribute.FENCE.numberIn(item)),
                    Attribute.GRANTS.numberIn(item),
                    grant(item),
                    Attribute.ATTRIBUTES.bytesIn(item).map(Attributes::decode).orElse(Attributes.NONE),
                    Attribute.CREATED_AT.timeIn(item),
                    Attribute.DONE_AT.findIn(item).isPresent() ? Attribute.DONE_AT.timeIn(item) : null);
        } catch (IllegalArgumentException e) {
            throw StoreException.rejected("DynamoDB: " + name(item) + " is none of Holdfast's: " + e.getMessage(), e);
        }
    }

    /** What messages call it. */
    static String name(Map<String, AttributeValue> item) {
        return "the item " + Attribute.KEY.findIn(item).orElse("?");
    }

    /** Whether it has attributes that this code does not know: of a newer format, or of another program. */
    static boolean hasOthers(Map<String, AttributeValue> item) {
        return !Attribute.NAMES.containsAll(item.keySet());
    }

    private static @Nullable Grant grant(Map<String, AttributeValue> item) {
        return Attribute.TOKEN
                .findIn(item)
                .map(token -> new Grant(
                        Token.parse(token),
                        Holder.of(Attribute.HOLDER.in(item)),
                        Term.ofMillis(Attribute.TERM_MILLIS.numberIn(item)),
                        Beat.parse(Attribute.BEAT.findIn(item).orElseGet(() -> Attribute.VERSION.in(item))),
                        Attribute.GRANTED_AT.timeIn(item),
                        anchor(item)))
                .orElse(null);
    }

    private static @Nullable AnchorRef anchor(Map<String, AttributeValue> item) {
        return Attribute.ANCHOR
                .findIn(item)
                .map(text -> new AnchorRef(KeyText.parse(text), Fence.of(Attribute.ANCHOR_FENCE.numberIn(item))))
                .orElse(null);
    }
}
