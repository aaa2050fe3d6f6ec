package dev.holdfast.dynamodb;

import dev.holdfast.store.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Cache of the stamps of recently seen entries, by version. A process that replaces an entry has usually just seen it,
 * so it can write the new item whole, stamp included. That takes half the bytes of an update, and less work for the
 * service. An entry never changes under its version, so nothing here is ever stale.
 *
 * <p>Items with attributes that this code does not know are not cached, because writing them whole would lose these
 * attributes.
 */
final class StampMemory {
    /** As many as the request pipeline caches entries by default. */
    private static final int MOST = 16_384;

    private final Map<Version, Map<ItemAttribute, AttributeValue>> stamps = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, Map<ItemAttribute, AttributeValue>> eldest) {
            return size() > MOST;
        }
    };

    /** Caches the stamp of an item as stored by the service. */
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

    /** Returns the stamp, which may be none, of this version; empty if it was not seen or has unknown attributes. */
    synchronized Optional<Map<ItemAttribute, AttributeValue>> find(Version version) {
        return Optional.ofNullable(stamps.get(version));
    }

    synchronized void forget(Version version) {
        stamps.remove(version);
    }
}
