package dev.holdfast.dynamodb.foreign;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Term;
import dev.holdfast.Token;
import dev.holdfast.store.Entry;
import dev.holdfast.store.StoreDialect;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Format in which one tool stores a lease. Pure: no I/O, no clock. */
public interface ForeignFormat {
    /** Returns the features that are missing or different here. */
    StoreDialect dialect();

    /**
     * How far two clocks may differ, or how long others wait beyond an expiry. Added to every wait before a takeover.
     */
    Duration step();

    /** How far our clock may differ from others, if a lease ends at a stored time; empty if no clock matters. */
    default Optional<Duration> skew() {
        return Optional.empty();
    }

    /** The attribute by which the table's items expire; empty if there is none. */
    default Optional<String> timeToLive() {
        return Optional.empty();
    }

    /** The attributes of the table's key, the partition key first. */
    List<String> keyNames();

    /**
     * Returns the key of the item.
     *
     * @throws IllegalArgumentException if the table cannot have such a key
     */
    Map<String, AttributeValue> keyOf(Key key);

    /** Returns the key of the lease in an item; empty if it is not a lease, or one that we cannot read. */
    Optional<Key> keyOf(ForeignItem foreignItem);

    /**
     * Attributes that the tool changes with each of its grants and renewals. Each of our writes is conditional on their
     * last seen values.
     */
    List<String> witnesses();

    /** All attributes that have a meaning to the tool; others belong to the user. */
    Set<String> own();

    /** The attribute that names the holder, which may exceed our limits; empty if the tool has none. */
    default Optional<String> ownerName() {
        return Optional.empty();
    }

    /** Reads an item without its imprint. */
    Reading read(Key key, ForeignItem foreignItem, Instant now);

    /**
     * Returns the tool's own attributes to write for {@code next}.
     *
     * @return empty values are attributes to remove
     */
    Map<String, Optional<AttributeValue>> write(Entry next, Instant now);

    /** Returns the witnesses of an item as one text. */
    default String marker(ForeignItem foreignItem) {
        StringBuilder text = new StringBuilder();
        for (String name : witnesses()) {
            AttributeValue value = foreignItem.get(name);
            // Not by the SDK's toString: it may change, and then our own writes would look like another tool's.
            String shown = value == null ? "-" : value.s() != null ? "S" + value.s() : "N" + value.n();
            text.append(shown.length()).append(shown);
        }
        return text.toString();
    }

    /**
     * Lease as read from the tool's own attributes.
     *
     * @param fence null if the tool has none
     * @param expiresAt null if expiry is judged by observation
     */
    record Reading(
            LeaseState state,
            Holder holder,
            Token token,
            Term term,
            @Nullable Fence fence,
            @Nullable Instant expiresAt) {}
}
