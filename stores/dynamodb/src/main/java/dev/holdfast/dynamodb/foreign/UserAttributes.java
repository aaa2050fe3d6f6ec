package dev.holdfast.dynamodb.foreign;

import dev.holdfast.AttributeValue.Bool;
import dev.holdfast.AttributeValue.Bytes;
import dev.holdfast.AttributeValue.BytesSet;
import dev.holdfast.AttributeValue.ListOf;
import dev.holdfast.AttributeValue.MapOf;
import dev.holdfast.AttributeValue.NumberSet;
import dev.holdfast.AttributeValue.Text;
import dev.holdfast.AttributeValue.TextSet;
import dev.holdfast.Attributes;
import dev.holdfast.StoreException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Conversion of the user's attributes of an item, one to one. A value without a counterpart (a null, or more than a key
 * may hold) is neither shown nor written, so it stays unchanged.
 */
public final class UserAttributes {
    private UserAttributes() {}

    /** @param notOurs names that do not belong to the user */
    public static Attributes of(ForeignItem foreignItem, Set<String> notOurs) {
        Map<String, dev.holdfast.AttributeValue> shown = new LinkedHashMap<>();
        // In the order of the names, so that all processes omit the same ones if there are too many.
        new TreeMap<>(foreignItem.values()).forEach((name, value) -> {
            if (!notOurs.contains(name)) {
                readable(name, value).ifPresent(it -> shown.put(name, it));
            }
        });
        return fitting(shown);
    }

    private static Optional<dev.holdfast.AttributeValue> readable(String name, AttributeValue value) {
        try {
            dev.holdfast.AttributeValue read = read(value);
            Attributes.of(name, read);
            return Optional.of(read);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns all of them, or as many as fit. */
    private static Attributes fitting(Map<String, dev.holdfast.AttributeValue> shown) {
        try {
            return Attributes.of(shown);
        } catch (IllegalArgumentException e) {
            Attributes some = Attributes.NONE;
            for (Map.Entry<String, dev.holdfast.AttributeValue> entry : shown.entrySet()) {
                some = ifItFits(some, entry.getKey(), entry.getValue());
            }
            return some;
        }
    }

    private static Attributes ifItFits(Attributes some, String name, dev.holdfast.AttributeValue value) {
        try {
            return some.with(name, value);
        } catch (IllegalArgumentException e) {
            return some;
        }
    }

    private static dev.holdfast.AttributeValue read(AttributeValue value) {
        return switch (value.type()) {
            case S -> new Text(value.s());
            case N -> number(value.n());
            case BOOL -> new Bool(value.bool());
            case B -> new Bytes(value.b().asByteArray());
            case L -> new ListOf(value.l().stream().map(UserAttributes::read).toList());
            case M ->
                new MapOf(value.m().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> read(entry.getValue()))));
            case SS -> new TextSet(new LinkedHashSet<>(value.ss()));
            case NS -> new NumberSet(value.ns().stream().map(BigDecimal::new).collect(Collectors.toSet()));
            case BS ->
                new BytesSet(value.bs().stream()
                        .map(it -> new Bytes(it.asByteArray()))
                        .collect(Collectors.toSet()));
            default -> throw new IllegalArgumentException("a value that has no counterpart");
        };
    }

    private static dev.holdfast.AttributeValue number(String digits) {
        return dev.holdfast.AttributeValue.of(new BigDecimal(digits));
    }

    /** Returns the writes that turn {@code before} into {@code after}; empty values are removed. */
    static Map<String, Optional<AttributeValue>> difference(
            Attributes before, Attributes after, Set<String> notOurs, String layout) {
        Map<String, Optional<AttributeValue>> changes = new LinkedHashMap<>();
        if (before.equals(after)) {
            return changes;
        }
        for (String name : before.names()) {
            if (after.get(name).isEmpty()) {
                changes.put(name, Optional.empty());
            }
        }
        after.asMap().forEach((name, value) -> {
            if (!before.get(name).equals(Optional.of(value))) {
                requireFree(name, notOurs, layout);
                changes.put(name, Optional.of(write(name, value)));
            }
        });
        return changes;
    }

    private static void requireFree(String name, Set<String> notOurs, String layout) {
        if (notOurs.contains(name)) {
            throw StoreException.rejected(
                    "attribute name: " + name + " (expected: none of "
                            + List.copyOf(notOurs).stream().sorted().toList() + ", as layout " + layout
                            + " uses them)",
                    null);
        }
    }

    private static AttributeValue write(String name, dev.holdfast.AttributeValue value) {
        if (value instanceof Text text) {
            return AttributeValue.fromS(text.value());
        } else if (value instanceof dev.holdfast.AttributeValue.Number number) {
            return AttributeValue.fromN(number.value().toString());
        } else if (value instanceof Bool bool) {
            return AttributeValue.fromBool(bool.value());
        } else if (value instanceof Bytes bytes) {
            return AttributeValue.fromB(SdkBytes.fromByteArray(bytes.toArray()));
        } else if (value instanceof ListOf list) {
            return AttributeValue.fromL(
                    list.values().stream().map(it -> write(name, it)).toList());
        } else if (value instanceof MapOf map) {
            return AttributeValue.fromM(map.entries().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, entry -> write(name, entry.getValue()))));
        } else if (value instanceof TextSet set) {
            return AttributeValue.fromSs(List.copyOf(notEmpty(name, set.values())));
        } else if (value instanceof NumberSet set) {
            return AttributeValue.fromNs(notEmpty(name, set.values()).stream()
                    .map(BigDecimal::toString)
                    .toList());
        }
        return AttributeValue.fromBs(notEmpty(name, ((BytesSet) value).values()).stream()
                .map(it -> SdkBytes.fromByteArray(it.toArray()))
                .toList());
    }

    private static <T> Set<T> notEmpty(String name, Set<T> values) {
        if (values.isEmpty()) {
            throw StoreException.rejected(
                    "attribute " + name
                            + ": an empty set (expected: at least one element, as DynamoDB has no other sets)",
                    null);
        }
        return values;
    }
}
