package dev.holdfast.fleet.internal.units;

import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.internal.ArgumentCheck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The attributes by which a fleet knows its units; those that begin with {@code ~} are hidden from users. */
public final class UnitAttributes {
    /** On every unit: a key that has it not was deleted, or never created, and is only held by mistake. */
    public static final String UNIT = "~unit";

    /** On a unit that is to be deleted as soon as its worker has let go of it. */
    public static final String DELETING = "~deleting";

    /** A number: how heavy the unit is. */
    public static final String WEIGHT = "weight";

    /** A list of names: the units that must be done before this one is given out. */
    public static final String AFTER = "after";

    private static final String HIDDEN = "~";

    private UnitAttributes() {}

    public static Attributes shown(Attributes attributes) {
        if (attributes.names().stream().noneMatch(name -> name.startsWith(HIDDEN))) {
            return attributes;
        }
        Map<String, AttributeValue> shown = new HashMap<>(attributes.asMap());
        shown.keySet().removeIf(name -> name.startsWith(HIDDEN));
        return Attributes.of(shown);
    }

    /** A user's change, made so that it leaves our marks alone. */
    public static AttributePatch keepingMarks(AttributePatch patch) {
        requireShown(patch.puts());
        patch.removes().forEach(UnitAttributes::requireShown);
        return patch.replaces() ? patch.put(UNIT, true) : patch;
    }

    static Attributes requireValid(Attributes attributes) {
        requireShown(attributes);
        attributes.get(WEIGHT).ifPresent(weight -> {
            if (!(weight instanceof AttributeValue.Number number)
                    || number.value().signum() <= 0) {
                throw ArgumentCheck.bad(WEIGHT, weight, "a number > 0");
            }
        });
        attributes.get(AFTER).ifPresent(after -> {
            if (names(after).isEmpty()) {
                throw ArgumentCheck.bad(AFTER, after, "a list of names of units");
            }
        });
        return attributes;
    }

    private static void requireShown(Attributes attributes) {
        attributes.names().forEach(UnitAttributes::requireShown);
    }

    private static void requireShown(String name) {
        if (name.startsWith(HIDDEN)) {
            throw ArgumentCheck.bad("attribute name", name, "one that does not begin with " + HIDDEN);
        }
    }

    public static double weight(Attributes attributes) {
        return attributes
                .number(WEIGHT)
                .map(Number::doubleValue)
                .filter(weight -> weight > 0)
                .orElse(1.0);
    }

    public static List<String> after(Attributes attributes) {
        return attributes.get(AFTER).map(UnitAttributes::names).orElse(List.of());
    }

    static boolean isPlanned(AttributePatch patch) {
        return patch.replaces()
                || patch.puts().get(WEIGHT).isPresent()
                || patch.puts().get(AFTER).isPresent()
                || patch.removes().contains(WEIGHT)
                || patch.removes().contains(AFTER);
    }

    public static AttributeValue names(List<String> names) {
        return new AttributeValue.ListOf(names.stream().map(AttributeValue::of).toList());
    }

    /** The texts of a list or set; none if it is neither. */
    static List<String> names(AttributeValue value) {
        if (value instanceof AttributeValue.TextSet set) {
            return List.copyOf(set.values());
        }
        if (value instanceof AttributeValue.ListOf list) {
            return list.values().stream()
                    .filter(AttributeValue.Text.class::isInstance)
                    .map(text -> ((AttributeValue.Text) text).value())
                    .toList();
        }
        return List.of();
    }

    public static List<String> names(Attributes attributes, String name) {
        return attributes.get(name).map(UnitAttributes::names).orElse(List.of());
    }

    public static long number(Attributes attributes, String name) {
        return attributes.number(name).map(Number::longValue).orElse(0L);
    }
}
