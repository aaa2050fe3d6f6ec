package dev.holdfast.dynamodb;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Version;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.Runtime;
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

/**
 * One change as one conditional request. An item is put whole if we know the stamp that it is to have: that of a new beat,
 * or that which it had when we saw it. Else it is updated around the stamp that is there.
 */
final class Writes {
    private static final String AT_EXPECTED = Attribute.VERSION.alias() + " = :expected";
    private static final Map<String, String> VERSION_NAME = Map.of(Attribute.VERSION.alias(), Attribute.VERSION.text());
    private static final String ABSENT = "attribute_not_exists(" + Attribute.KEY.alias() + ")";
    private static final Map<String, String> KEY_NAME = Map.of(Attribute.KEY.alias(), Attribute.KEY.text());

    private final Table table;
    private final Runtime runtime;
    private final Stamps stamps;
    private final StampMemory memory;

    Writes(Table table, Runtime runtime, Stamps stamps, StampMemory memory) {
        this.table = table;
        this.runtime = runtime;
        this.stamps = stamps;
        this.memory = memory;
    }

    Written send(Change change) {
        Entry next = change.next();
        Version expected = change.expected();
        if (next == null) {
            return remove(change);
        }
        Optional<Map<Attribute, AttributeValue>> stamp = stamp(expected, next);
        Written written =
                stamp.isPresent() ? put(expected, next, stamp.get()) : update(Objects.requireNonNull(expected), next);
        if (written instanceof Written.Applied && stamp.isPresent()) {
            memory.noteStamp(next.version(), stamp.get());
        }
        if (written instanceof Written.Applied && expected != null) {
            memory.forget(expected);
        }
        return written;
    }

    /** The stamp of {@code next}, which may be none; empty if only the service knows it. */
    private Optional<Map<Attribute, AttributeValue>> stamp(@Nullable Version expected, Entry next) {
        Grant grant = next.grant();
        // A beat has the id of the write that made it. If somebody made one otherwise, its stamp is not believed.
        boolean isNew = grant == null || grant.beat().id().equals(next.version().id());
        return expected == null || isNew ? Optional.of(stamps.of(next)) : memory.find(expected);
    }

    private Written put(@Nullable Version expected, Entry next, Map<Attribute, AttributeValue> stamp) {
        Map<String, AttributeValue> item = new HashMap<>(Items.key(next.key()));
        attributes(next).forEach((attribute, value) -> item.put(attribute.text(), value));
        stamp.forEach((attribute, value) -> item.put(attribute.text(), value));
        return table.put(request -> {
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

    private Written update(Version expected, Entry next) {
        Map<Attribute, AttributeValue> set = attributes(next);
        Set<Attribute> removed = EnumSet.complementOf(EnumSet.of(Attribute.KEY));
        removed.removeAll(set.keySet());
        removed.remove(Attribute.STAMP);
        Map<String, String> names = new HashMap<>();
        Map<String, AttributeValue> values = new HashMap<>(expected(expected));
        set.forEach((attribute, value) -> {
            names.put(attribute.alias(), attribute.text());
            values.put(attribute.value(), value);
        });
        removed.forEach(attribute -> names.put(attribute.alias(), attribute.text()));
        String expression =
                "SET " + join(set.keySet(), true) + (removed.isEmpty() ? "" : " REMOVE " + join(removed, false));
        return table.update(request -> request.key(Items.key(next.key()))
                .updateExpression(expression)
                .conditionExpression(AT_EXPECTED)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values));
    }

    private Written remove(Change change) {
        return table.delete(request -> request.key(Items.key(change.key()))
                .conditionExpression(AT_EXPECTED)
                .expressionAttributeNames(VERSION_NAME)
                .expressionAttributeValues(expected(Objects.requireNonNull(change.expected()))));
    }

    private static Map<String, AttributeValue> expected(Version expected) {
        return Map.of(":expected", Attribute.of(expected.toString()));
    }

    private Map<Attribute, AttributeValue> attributes(Entry next) {
        Map<Attribute, AttributeValue> item = new EnumMap<>(Items.of(next));
        Expiry.of(next, runtime.now()).ifPresent(ttl -> item.put(Attribute.TTL, ttl));
        return item;
    }

    private static String join(Set<Attribute> attributes, boolean withValues) {
        return attributes.stream()
                .map(it -> withValues ? it.alias() + " = " + it.value() : it.alias())
                .collect(Collectors.joining(", "));
    }
}
