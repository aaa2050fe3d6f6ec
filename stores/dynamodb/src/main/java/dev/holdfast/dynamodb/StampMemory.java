package dev.holdfast.dynamodb;

import dev.holdfast.store.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The stamps of entries that this process has seen lately, by their versions. Whoever replaces an entry has mostly just
 * seen it, so that the new item can be written whole, stamp included: half the bytes of an update, and less work for the
 * service. An entry never changes under its version, so nothing here is ever stale.
 *
 * <p>Items with attributes that this code does not know are not remembered: writing them whole would lose those.
 */
final class StampMemory {
    /** As many as the engine remembers entries by default. */
    private static final int MOST = 16_384;

    private final Map<Version, Map<ItemAttribute, AttributeValue>> stamps = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, Map<ItemAttribute, AttributeValue>> eldest) {
            return size() > MOST;
        }
    };

    /** Notes an item as the service has it. */
    void note(Version version, Map<String, AttributeValue> item) {
        if (EntryItems.hasOthers(item)) {
            return;
        }
        AttributeValue stamp = item.get(ItemAttribute.STAMP.text());
        noteStamp(version, stamp == null ? Map.of() : Map.of(ItemAttribute.STAMP, stamp));
    }

    synchronized void noteStamp(Version version, Map<ItemAttribute, AttributeValue> stamp) {
        stamps.put(version, stamp);
    }

    /** The stamp, which may be none, of the entry with this version; empty if that was not seen, or has more attributes. */
    synchronized Optional<Map<ItemAttribute, AttributeValue>> find(Version version) {
        return Optional.ofNullable(stamps.get(version));
    }

    synchronized void forget(Version version) {
        stamps.remove(version);
    }
}
