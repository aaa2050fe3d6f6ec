package dev.holdfast.dynamodb.layouts;

import dev.holdfast.AttributeValue.Bool;
import dev.holdfast.AttributeValue.Bytes;
import dev.holdfast.AttributeValue.ListOf;
import dev.holdfast.AttributeValue.MapOf;
import dev.holdfast.AttributeValue.Text;
import dev.holdfast.Attributes;
import dev.holdfast.StoreException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Conversion of the user's attributes of an item. A value without a counterpart (a null, or more than a key may hold) is
 * neither shown nor written, so it stays unchanged.
 *
 * <p>A set of DynamoDB's is read as the list of its elements, in ascending order. Only changed attributes are written,
 * so a set that our user leaves alone stays as it is. A changed list is written as a set if it replaces one, as long as
 * a set can hold it: at least one element, all different, and of the set's type.
 */
final class UserAttributes {
    private static final Comparator<String> BY_CODE_POINT =
            Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private UserAttributes() {}

    /** @param notOurs names that do not belong to the user */
    static Attributes of(ForeignItem foreignItem, Set<String> notOurs) {
        Map<String, dev.holdfast.AttributeValue> shown = new LinkedHashMap<>();
        // In the order of the names, so that all processes omit the same ones if there are too many.
        new TreeMap<>(foreignItem.values()).forEach((name, value) -> {
            if (!notOurs.contains(name)) {
                readable(value).ifPresent(it -> shown.put(name, it));
            }
        });
        return fitting(shown);
    }

    private static Optional<dev.holdfast.AttributeValue> readable(AttributeValue value) {
        try {
            return Optional.of(read(value));
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
                some = withIfItFits(some, entry.getKey(), entry.getValue());
            }
            return some;
        }
    }

    private static Attributes withIfItFits(Attributes some, String name, dev.holdfast.AttributeValue value) {
        try {
            return some.with(name, value);
        } catch (IllegalArgumentException e) {
            return some;
        }
    }

    private static dev.holdfast.AttributeValue read(AttributeValue value) {
        return switch (value.type()) {
            case S -> new Text(value.s());
            case N -> dev.holdfast.AttributeValue.of(new BigDecimal(value.n()));
            case BOOL -> new Bool(value.bool());
            case B -> new Bytes(value.b().asByteArray());
            case L -> list(value.l().stream().map(UserAttributes::read));
            case M ->
                new MapOf(value.m().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> read(entry.getValue()))));
            case SS -> list(value.ss().stream().sorted(BY_CODE_POINT).map(Text::new));
            case NS -> list(value.ns().stream().map(BigDecimal::new).sorted().map(dev.holdfast.AttributeValue::of));
            case BS ->
                list(value.bs().stream()
                        .map(SdkBytes::asByteArray)
                        .sorted(Arrays::compareUnsigned)
                        .map(Bytes::new));
            default -> throw new IllegalArgumentException("a value that has no counterpart");
        };
    }

    private static ListOf list(Stream<? extends dev.holdfast.AttributeValue> values) {
        return new ListOf(values.collect(Collectors.toUnmodifiableList()));
    }

    /** Returns whether a set is this value, or in it. */
    static boolean hasSet(AttributeValue value) {
        return isSet(value)
                || value.l().stream().anyMatch(UserAttributes::hasSet)
                || value.m().values().stream().anyMatch(UserAttributes::hasSet);
    }

    private static boolean isSet(AttributeValue value) {
        return value.hasSs() || value.hasNs() || value.hasBs();
    }

    /**
     * Returns the writes that turn {@code before} into {@code after}; empty values are removed.
     *
     * @param item the values before that have sets
     */
    static Map<String, Optional<AttributeValue>> difference(
            Attributes before, ForeignItem item, Attributes after, Set<String> notOurs, String layout) {
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
                changes.put(name, Optional.of(write(value, item.get(name))));
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

    /** @param before the value to replace, if it is known */
    private static AttributeValue write(dev.holdfast.AttributeValue value, @Nullable AttributeValue before) {
        if (value instanceof Text text) {
            return AttributeValue.fromS(text.value());
        } else if (value instanceof dev.holdfast.AttributeValue.Number number) {
            return AttributeValue.fromN(number.value().toString());
        } else if (value instanceof Bool bool) {
            return AttributeValue.fromBool(bool.value());
        } else if (value instanceof Bytes bytes) {
            return AttributeValue.fromB(SdkBytes.fromByteArray(bytes.toArray()));
        } else if (value instanceof ListOf list) {
            return write(list, before == null ? AttributeValue.fromL(List.of()) : before);
        }
        Map<String, AttributeValue> known = before == null ? Map.of() : before.m();
        return AttributeValue.fromM(((MapOf) value)
                .entries().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> write(entry.getValue(), known.get(entry.getKey())))));
    }

    private static AttributeValue write(ListOf list, AttributeValue before) {
        List<AttributeValue> elements = IntStream.range(0, list.values().size())
                .mapToObj(i -> write(
                        list.values().get(i), i < before.l().size() ? before.l().get(i) : null))
                .toList();
        boolean fitsSet = !elements.isEmpty() && new HashSet<>(elements).size() == elements.size();
        if (fitsSet && before.hasSs() && elements.stream().allMatch(it -> it.s() != null)) {
            return AttributeValue.fromSs(
                    elements.stream().map(AttributeValue::s).toList());
        }
        if (fitsSet && before.hasNs() && elements.stream().allMatch(it -> it.n() != null)) {
            return AttributeValue.fromNs(
                    elements.stream().map(AttributeValue::n).toList());
        }
        if (fitsSet && before.hasBs() && elements.stream().allMatch(it -> it.b() != null)) {
            return AttributeValue.fromBs(
                    elements.stream().map(AttributeValue::b).toList());
        }
        return AttributeValue.fromL(elements);
    }
}
