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
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One change as one conditional request. What is there is updated, not put: so the stamp of a beat that stays can stay,
 * although we do not know it, and so do attributes that are not ours.
 */
final class Writes {
    private static final String AT_EXPECTED = Attribute.VERSION.alias() + " = :expected";
    private static final String ABSENT = "attribute_not_exists(" + Attribute.KEY.alias() + ")";

    /** What a write that keeps the beat leaves alone. */
    private static final Set<Attribute> OF_THE_BEAT =
            EnumSet.of(Attribute.STAMP, Attribute.STAMP_SKEW, Attribute.STAMP_BEAT);

    private final Table table;
    private final Runtime runtime;
    private final Stamps stamps;

    Writes(Table table, Runtime runtime, Stamps stamps) {
        this.table = table;
        this.runtime = runtime;
        this.stamps = stamps;
    }

    Written send(Change change) {
        Entry next = change.next();
        Version expected = change.expected();
        if (next == null) {
            return remove(change);
        }
        return expected == null ? insert(next) : replace(expected, next);
    }

    private Written insert(Entry next) {
        Map<String, AttributeValue> item = new HashMap<>(Items.key(next.key()));
        attributes(next, true).forEach((attribute, value) -> item.put(attribute.text(), value));
        return table.put(request -> request.item(item)
                .conditionExpression(ABSENT)
                .expressionAttributeNames(Map.of(Attribute.KEY.alias(), Attribute.KEY.text())));
    }

    private Written replace(Version expected, Entry next) {
        boolean beats = isNewBeat(next);
        Map<Attribute, AttributeValue> set = attributes(next, beats);
        Set<Attribute> removed = EnumSet.complementOf(EnumSet.of(Attribute.KEY));
        removed.removeAll(set.keySet());
        if (!beats) {
            removed.removeAll(OF_THE_BEAT);
        }
        Map<String, String> names = new HashMap<>();
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":expected", Attribute.of(expected.toString()));
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
                .expressionAttributeNames(Map.of(Attribute.VERSION.alias(), Attribute.VERSION.text()))
                .expressionAttributeValues(Map.of(":expected", Attribute.of(version(change.expected())))));
    }

    private Map<Attribute, AttributeValue> attributes(Entry next, boolean beats) {
        Map<Attribute, AttributeValue> item = new EnumMap<>(Items.of(next));
        Grant grant = next.grant();
        if (beats && grant != null) {
            item.putAll(stamps.of(grant.beat()));
        }
        Expiry.of(next, runtime.now()).ifPresent(ttl -> item.put(Attribute.TTL, ttl));
        return item;
    }

    /** A beat has the id of the write that made it. If somebody made one otherwise, its stamp is not believed. */
    private static boolean isNewBeat(Entry next) {
        Grant grant = next.grant();
        return grant == null || grant.beat().id().equals(next.version().id());
    }

    private static String join(Set<Attribute> attributes, boolean withValues) {
        return attributes.stream()
                .map(it -> withValues ? it.alias() + " = " + it.value() : it.alias())
                .collect(Collectors.joining(", "));
    }

    private static String version(@Nullable Version version) {
        return String.valueOf(version);
    }
}
