package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Entry;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Format in which one tool stores a lease. Pure: no I/O, no clock. */
interface ForeignFormat {
    /** Features of tables in which a grant keeps nothing but the lease itself: they lack these. */
    Set<StoreFeature> LACKED_BY_LOCKS = Set.copyOf(EnumSet.of(
            StoreFeature.FENCE,
            StoreFeature.FENCE_OF_DELETED,
            StoreFeature.DONE,
            StoreFeature.ATTRIBUTES,
            StoreFeature.ANCHORS,
            StoreFeature.CLEAN_UP,
            StoreFeature.HISTORY));

    FormatTraits traits();

    /**
     * Returns the key of the item.
     *
     * @throws IllegalArgumentException if the table cannot have such a key
     */
    Map<String, AttributeValue> keyOf(Key key);

    /** Returns the key of the lease in an item; empty if it is not a lease, or one that we cannot read. */
    Optional<Key> keyOf(ForeignItem foreignItem);

    /** Reads an item without its imprint. */
    ForeignLease read(Key key, ForeignItem foreignItem, Instant now);

    /**
     * Returns the tool's own attributes to write for {@code next}.
     *
     * @return empty values are attributes to remove
     */
    Map<String, Optional<AttributeValue>> write(Entry next, Instant now);

    /** Returns the witnesses of an item as one text. */
    default String marker(ForeignItem foreignItem) {
        StringBuilder text = new StringBuilder();
        for (String name : traits().witnesses()) {
            AttributeValue value = foreignItem.get(name);
            // Not by the SDK's toString: it may change, and then our own writes would look like another tool's.
            String shown = value == null ? "-" : value.s() != null ? "S" + value.s() : "N" + value.n();
            text.append(shown.length()).append(shown);
        }
        return text.toString();
    }

    /** Returns a key; empty if it exceeds our limits. */
    static Optional<Key> key(String namespace, String name) {
        try {
            return Optional.of(Key.of(namespace, name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static boolean isHeld(Entry next) {
        return next.state() == LeaseState.HELD && next.grant() != null;
    }

    /** Returns the token of the last grant while it is held; otherwise an id that no client has. */
    static Optional<AttributeValue> proof(Entry next) {
        return text(
                next.grant() != null && isHeld(next)
                        ? next.grant().token().secret()
                        : next.version().toString());
    }

    static Optional<AttributeValue> text(String value) {
        return Optional.of(AttributeValue.fromS(value));
    }

    static Optional<AttributeValue> number(long value) {
        return Optional.of(AttributeValue.fromN(String.valueOf(value)));
    }
}
