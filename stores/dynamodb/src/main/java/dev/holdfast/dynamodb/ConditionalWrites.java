package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.dynamodb.table.ItemExpression;
import dev.holdfast.dynamodb.table.VersionCache;
import dev.holdfast.dynamodb.table.WriteResult;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * Sender of one change as one conditional request. A new item is put whole. So is an item that was seen recently, if
 * this code knows all its attributes. Any other item is updated, which keeps attributes of newer formats and of other
 * programs.
 */
final class ConditionalWrites {
    private final DynamoTable dynamoTable;
    private final BeatStamps beatStamps;
    /**
     * The stamps, perhaps none, of recently seen items. A process that replaces an entry has usually just seen it, so it
     * can write the new item whole, stamp included. That takes half the bytes of an update, and less work for the
     * service.
     */
    private final VersionCache<Map<ItemAttribute, AttributeValue>> stamps = new VersionCache<>();

    private final HistoryRoom historyRoom;

    ConditionalWrites(DynamoTable dynamoTable, BeatStamps beatStamps, HistoryRoom historyRoom) {
        this.historyRoom = historyRoom;
        this.dynamoTable = dynamoTable;
        this.beatStamps = beatStamps;
    }

    WriteResult send(Change change) {
        Entry next = change.next();
        Version expected = change.expected();
        if (next == null) {
            return remove(change);
        }
        Optional<Map<ItemAttribute, AttributeValue>> newStamp = newStamp(expected, next);
        Optional<Map<ItemAttribute, AttributeValue>> oldStamp =
                expected == null ? Optional.of(Map.of()) : stamps.find(expected);
        return oldStamp.isPresent()
                ? putWhole(expected, next, newStamp.orElse(oldStamp.get()))
                : update(Objects.requireNonNull(expected), next, newStamp);
    }

    /** Returns the stamp of {@code next}, which may be none; empty if {@code next} keeps the stored one. */
    private Optional<Map<ItemAttribute, AttributeValue>> newStamp(@Nullable Version expected, Entry next) {
        // A beat has the id of the write that made it. The stamp of a beat made in another way is not trusted.
        boolean isNew = !EntryItems.of(next).containsKey(ItemAttribute.BEAT);
        return expected == null || isNew ? Optional.of(beatStamps.of(next)) : Optional.empty();
    }

    private WriteResult putWhole(@Nullable Version expected, Entry next, Map<ItemAttribute, AttributeValue> stamp) {
        WriteResult writeResult = put(expected, next, stamp);
        if (writeResult instanceof WriteResult.Applied) {
            stamps.put(next.version(), stamp);
            if (expected != null) {
                stamps.forget(expected);
            }
        }
        return writeResult;
    }

    private WriteResult put(@Nullable Version expected, Entry next, Map<ItemAttribute, AttributeValue> stamp) {
        Map<String, AttributeValue> item = new HashMap<>(EntryItems.key(next.key()));
        attributes(next).forEach((itemAttribute, value) -> item.put(itemAttribute.text(), value));
        stamp.forEach((itemAttribute, value) -> item.put(itemAttribute.text(), value));
        ItemExpression condition =
                expected == null ? new ItemExpression().onlyIf(ItemAttribute.KEY.text(), null) : at(expected);
        return dynamoTable.put(request -> condition.fill(request.item(item)));
    }

    /** Updates an item, and leaves attributes that this code does not know unchanged. */
    private WriteResult update(Version expected, Entry next, Optional<Map<ItemAttribute, AttributeValue>> newStamp) {
        Map<ItemAttribute, AttributeValue> set = attributes(next);
        newStamp.ifPresent(set::putAll);
        ItemExpression update = writableAt(expected);
        for (ItemAttribute attribute : ItemAttribute.values()) {
            AttributeValue value = set.get(attribute);
            boolean isKept = attribute == ItemAttribute.KEY || (attribute == ItemAttribute.STAMP && newStamp.isEmpty());
            if (value != null) {
                update.set(attribute.text(), value);
            } else if (!isKept) {
                update.remove(attribute.text());
            }
        }
        WriteResult writeResult = dynamoTable.update(
                request -> update.fill(request.key(EntryItems.key(next.key())).returnValues(ReturnValue.ALL_NEW)));
        if (writeResult instanceof WriteResult.Applied applied) {
            note(next.version(), applied.attributes());
        }
        return writeResult;
    }

    /** Remembers an item as stored by the service, unless it has unknown attributes, which writing it whole would lose. */
    void note(Version version, Map<String, AttributeValue> item) {
        AttributeValue stamp = item.get(ItemAttribute.STAMP.text());
        if (!EntryItems.hasOthers(item)) {
            stamps.put(version, stamp == null ? Map.of() : Map.of(ItemAttribute.STAMP, stamp));
        }
    }

    private WriteResult remove(Change change) {
        ItemExpression condition = writableAt(Objects.requireNonNull(change.expected()));
        return dynamoTable.delete(request -> condition.fill(request.key(EntryItems.key(change.key()))));
    }

    private static ItemExpression at(Version expected) {
        return new ItemExpression().onlyIf(ItemAttribute.VERSION.text(), ItemAttribute.of(expected.toString()));
    }

    /** Only writes of unseen items check the limits: an item that was seen without other attributes has no limits. */
    private static ItemExpression writableAt(Version expected) {
        return at(expected).onlyUpTo(FormatLimits.MIN_WRITER, ItemAttribute.of(FormatLimits.OWN));
    }

    private Map<ItemAttribute, AttributeValue> attributes(Entry next) {
        Map<ItemAttribute, AttributeValue> item = new EnumMap<>(EntryItems.of(next));
        historyRoom.of(next, item).ifPresent(history -> item.put(ItemAttribute.HISTORY, history));
        EntryItems.expiry(next, beatStamps.now()).ifPresent(ttl -> item.put(ItemAttribute.TTL, ttl));
        return item;
    }
}
