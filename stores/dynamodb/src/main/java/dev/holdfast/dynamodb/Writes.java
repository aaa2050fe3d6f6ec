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
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * One change as one conditional request. A new item is put whole, and so is one that we saw lately and whose attributes we
 * all know. Any other is updated, which keeps attributes of newer formats and of other programs.
 */
final class Writes {
    private static final String AT_EXPECTED = Attribute.VERSION.alias() + " = :expected";
    private static final Map<String, String> VERSION_NAME = Map.of(Attribute.VERSION.alias(), Attribute.VERSION.text());
    /** An item that was seen and had no other attributes has no limits either, so only other writes ask for them. */
    private static final String AT_EXPECTED_AND_WRITABLE =
            AT_EXPECTED + " AND (attribute_not_exists(#min_writer) OR #min_writer <= :own_format)";

    private static final Map<String, String> CONDITION_NAMES =
            Map.of(Attribute.VERSION.alias(), Attribute.VERSION.text(), "#min_writer", FormatLimits.MIN_WRITER);
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
        Optional<Map<Attribute, AttributeValue>> newStamp = newStamp(expected, next);
        Optional<Map<Attribute, AttributeValue>> oldStamp =
                expected == null ? Optional.of(Map.of()) : memory.find(expected);
        return oldStamp.isPresent()
                ? putWhole(expected, next, newStamp.orElse(oldStamp.get()))
                : update(Objects.requireNonNull(expected), next, newStamp);
    }

    /** The stamp of {@code next}, which may be none; empty if it keeps the one that is there. */
    private Optional<Map<Attribute, AttributeValue>> newStamp(@Nullable Version expected, Entry next) {
        Grant grant = next.grant();
        // A beat has the id of the write that made it. If somebody made one otherwise, its stamp is not believed.
        boolean isNew = grant == null || grant.beat().id().equals(next.version().id());
        return expected == null || isNew ? Optional.of(stamps.of(next)) : Optional.empty();
    }

    private Written putWhole(@Nullable Version expected, Entry next, Map<Attribute, AttributeValue> stamp) {
        Written written = put(expected, next, stamp);
        if (written instanceof Written.Applied) {
            memory.noteStamp(next.version(), stamp);
            if (expected != null) {
                memory.forget(expected);
            }
        }
        return written;
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

    /** Leaves attributes that this code does not know as they are. */
    private Written update(Version expected, Entry next, Optional<Map<Attribute, AttributeValue>> newStamp) {
        Map<Attribute, AttributeValue> set = attributes(next);
        newStamp.ifPresent(set::putAll);
        Set<Attribute> removed = EnumSet.complementOf(EnumSet.of(Attribute.KEY));
        removed.removeAll(set.keySet());
        if (newStamp.isEmpty()) {
            removed.remove(Attribute.STAMP);
        }
        Map<String, String> names = new HashMap<>(CONDITION_NAMES);
        Map<String, AttributeValue> values = new HashMap<>(conditionValues(expected));
        set.forEach((attribute, value) -> {
            names.put(attribute.alias(), attribute.text());
            values.put(attribute.value(), value);
        });
        removed.forEach(attribute -> names.put(attribute.alias(), attribute.text()));
        String expression =
                "SET " + join(set.keySet(), true) + (removed.isEmpty() ? "" : " REMOVE " + join(removed, false));
        Written written = table.update(request -> request.key(Items.key(next.key()))
                .updateExpression(expression)
                .conditionExpression(AT_EXPECTED_AND_WRITABLE)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW));
        if (written instanceof Written.Applied applied) {
            memory.note(next.version(), applied.attributes());
        }
        return written;
    }

    private Written remove(Change change) {
        return table.delete(request -> request.key(Items.key(change.key()))
                .conditionExpression(AT_EXPECTED_AND_WRITABLE)
                .expressionAttributeNames(CONDITION_NAMES)
                .expressionAttributeValues(conditionValues(Objects.requireNonNull(change.expected()))));
    }

    private static Map<String, AttributeValue> conditionValues(Version expected) {
        return Map.of(":expected", Attribute.of(expected.toString()), ":own_format", Attribute.of(FormatLimits.OWN));
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
