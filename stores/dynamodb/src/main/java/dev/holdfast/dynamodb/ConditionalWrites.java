package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.dynamodb.table.WriteResult;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.Version;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * Sender of one change as one conditional request. A new item is put whole. So is an item that was seen recently, if
 * this code knows all its attributes. Any other item is updated, which keeps attributes of newer formats and of other
 * programs.
 */
final class ConditionalWrites {
    private static final String AT_EXPECTED = ItemAttribute.VERSION.alias() + " = :expected";
    private static final Map<String, String> VERSION_NAME =
            Map.of(ItemAttribute.VERSION.alias(), ItemAttribute.VERSION.text());
    /** Only writes of unseen items check the limits: an item that was seen without other attributes has no limits. */
    private static final String AT_EXPECTED_AND_WRITABLE =
            AT_EXPECTED + " AND (attribute_not_exists(#min_writer) OR #min_writer <= :own_format)";

    private static final Map<String, String> CONDITION_NAMES =
            Map.of(ItemAttribute.VERSION.alias(), ItemAttribute.VERSION.text(), "#min_writer", FormatLimits.MIN_WRITER);
    private static final String ABSENT = "attribute_not_exists(" + ItemAttribute.KEY.alias() + ")";
    private static final Map<String, String> KEY_NAME = Map.of(ItemAttribute.KEY.alias(), ItemAttribute.KEY.text());

    private final DynamoTable dynamoTable;
    private final HostEnvironment hostEnvironment;
    private final BeatStamps beatStamps;
    private final StampMemory memory;

    ConditionalWrites(
            DynamoTable dynamoTable, HostEnvironment hostEnvironment, BeatStamps beatStamps, StampMemory memory) {
        this.dynamoTable = dynamoTable;
        this.hostEnvironment = hostEnvironment;
        this.beatStamps = beatStamps;
        this.memory = memory;
    }

    WriteResult send(Change change) {
        Entry next = change.next();
        Version expected = change.expected();
        if (next == null) {
            return remove(change);
        }
        Optional<Map<ItemAttribute, AttributeValue>> newStamp = newStamp(expected, next);
        Optional<Map<ItemAttribute, AttributeValue>> oldStamp =
                expected == null ? Optional.of(Map.of()) : memory.find(expected);
        return oldStamp.isPresent()
                ? putWhole(expected, next, newStamp.orElse(oldStamp.get()))
                : update(Objects.requireNonNull(expected), next, newStamp);
    }

    /** Returns the stamp of {@code next}, which may be none; empty if {@code next} keeps the stored one. */
    private Optional<Map<ItemAttribute, AttributeValue>> newStamp(@Nullable Version expected, Entry next) {
        Grant grant = next.grant();
        // A beat has the id of the write that made it. The stamp of a beat made in another way is not trusted.
        boolean isNew = grant == null || grant.beat().id().equals(next.version().id());
        return expected == null || isNew ? Optional.of(beatStamps.of(next)) : Optional.empty();
    }

    private WriteResult putWhole(@Nullable Version expected, Entry next, Map<ItemAttribute, AttributeValue> stamp) {
        WriteResult writeResult = put(expected, next, stamp);
        if (writeResult instanceof WriteResult.Applied) {
            memory.noteStamp(next.version(), stamp);
            if (expected != null) {
                memory.forget(expected);
            }
        }
        return writeResult;
    }

    private WriteResult put(@Nullable Version expected, Entry next, Map<ItemAttribute, AttributeValue> stamp) {
        Map<String, AttributeValue> item = new HashMap<>(EntryItems.key(next.key()));
        attributes(next).forEach((itemAttribute, value) -> item.put(itemAttribute.text(), value));
        stamp.forEach((itemAttribute, value) -> item.put(itemAttribute.text(), value));
        return dynamoTable.put(request -> {
            request.item(item);
            if (expected == null) {
                request.conditionExpression(ABSENT).expressionAttributeNames(KEY_NAME);
            } else {
                request.conditionExpression(AT_EXPECTED)
                        .expressionAttributeNames(VERSION_NAME)
                        .expressionAttributeValues(expected(expected));
            }
        });
    }

    /** Updates an item, and leaves attributes that this code does not know unchanged. */
    private WriteResult update(Version expected, Entry next, Optional<Map<ItemAttribute, AttributeValue>> newStamp) {
        Map<ItemAttribute, AttributeValue> set = attributes(next);
        newStamp.ifPresent(set::putAll);
        Set<ItemAttribute> removed = EnumSet.complementOf(EnumSet.of(ItemAttribute.KEY));
        removed.removeAll(set.keySet());
        if (newStamp.isEmpty()) {
            removed.remove(ItemAttribute.STAMP);
        }
        Map<String, String> names = new HashMap<>(CONDITION_NAMES);
        Map<String, AttributeValue> values = new HashMap<>(conditionValues(expected));
        set.forEach((itemAttribute, value) -> {
            names.put(itemAttribute.alias(), itemAttribute.text());
            values.put(itemAttribute.value(), value);
        });
        removed.forEach(itemAttribute -> names.put(itemAttribute.alias(), itemAttribute.text()));
        String expression =
                "SET " + join(set.keySet(), true) + (removed.isEmpty() ? "" : " REMOVE " + join(removed, false));
        WriteResult writeResult = dynamoTable.update(request -> request.key(EntryItems.key(next.key()))
                .updateExpression(expression)
                .conditionExpression(AT_EXPECTED_AND_WRITABLE)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW));
        if (writeResult instanceof WriteResult.Applied applied) {
            memory.note(next.version(), applied.attributes());
        }
        return writeResult;
    }

    private WriteResult remove(Change change) {
        return dynamoTable.delete(request -> request.key(EntryItems.key(change.key()))
                .conditionExpression(AT_EXPECTED_AND_WRITABLE)
                .expressionAttributeNames(CONDITION_NAMES)
                .expressionAttributeValues(conditionValues(Objects.requireNonNull(change.expected()))));
    }

    private static Map<String, AttributeValue> conditionValues(Version expected) {
        return Map.of(
                ":expected", ItemAttribute.of(expected.toString()), ":own_format", ItemAttribute.of(FormatLimits.OWN));
    }

    private static Map<String, AttributeValue> expected(Version expected) {
        return Map.of(":expected", ItemAttribute.of(expected.toString()));
    }

    private Map<ItemAttribute, AttributeValue> attributes(Entry next) {
        Map<ItemAttribute, AttributeValue> item = new EnumMap<>(EntryItems.of(next));
        ItemExpiry.of(next, hostEnvironment.now()).ifPresent(ttl -> item.put(ItemAttribute.TTL, ttl));
        return item;
    }

    private static String join(Set<ItemAttribute> attributes, boolean withValues) {
        return attributes.stream()
                .map(it -> withValues ? it.alias() + " = " + it.value() : it.alias())
                .collect(Collectors.joining(", "));
    }
}
