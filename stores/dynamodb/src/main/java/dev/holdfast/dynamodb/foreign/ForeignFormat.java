package dev.holdfast.dynamodb.foreign;

import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Term;
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

/** How one tool writes a lease down. Pure: no I/O, no clock. */
public interface ForeignFormat {
    /** What cannot be kept here, and what is different. */
    StoreDialect dialect();

    /** How far two clocks may differ, or how long others wait beyond an expiry: added to every wait before a takeover. */
    Duration step();

    /** How far our clock may be off others', where a lease ends at a time; empty where no clock matters. */
    default Optional<Duration> skew() {
        return Optional.empty();
    }

    /** The attribute by which the table's items expire; empty if none does. */
    default Optional<String> timeToLive() {
        return Optional.empty();
    }

    /** The attributes of the table's key, the partition key first. */
    List<String> keyNames();

    /**
     * The key of the item.
     *
     * @throws IllegalArgumentException if the table cannot have such a key
     */
    Map<String, AttributeValue> keyOf(Key key);

    /** The key that an item is a lease of; empty if it is something else, or a lease that we do not understand. */
    Optional<Key> keyOf(ForeignItem foreignItem);

    /**
     * Attributes that the tool changes with each of its grants and renewals. A write of ours is on the condition that
     * they are as we saw them.
     */
    List<String> witnesses();

    /** All attributes that have a meaning to the tool; others are the user's. */
    Set<String> own();

    /** The attribute that names the holder, which may exceed our limits; empty where the tool has none. */
    default Optional<String> ownerName() {
        return Optional.empty();
    }

    /** What an item says to whoever knows no imprint. */
    Reading read(Key key, ForeignItem foreignItem, Instant now);

    /**
     * What to write of {@code next} in the tool's own attributes.
     *
     * @return empty values are attributes to remove
     */
    Map<String, Optional<AttributeValue>> write(Entry next, Instant now);

    /** The witnesses of an item, as one text. */
    default String marker(ForeignItem foreignItem) {
        StringBuilder text = new StringBuilder();
        for (String name : witnesses()) {
            AttributeValue value = foreignItem.get(name);
            // By hand: what the SDK prints may change with it, and then our own writes would look like another's.
            String shown = value == null ? "-" : value.s() != null ? "S" + value.s() : "N" + value.n();
            text.append(shown.length()).append(shown);
        }
        return text.toString();
    }

    /**
     * What an item says.
     *
     * @param fence null where the tool has none
     * @param expiresAt null where silence is judged by observation
     */
    record Reading(
            LeaseState state,
            Holder holder,
            Token token,
            Term term,
            @Nullable Fence fence,
            @Nullable Instant expiresAt) {}
}
