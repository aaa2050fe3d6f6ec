package dev.holdfast.fleet.internal;

import dev.holdfast.internal.Check;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.AttributeValue;
import dev.holdfast.model.Attributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The attributes by which a fleet knows its units; those that begin with {@code ~} are hidden from users. */
public final class Marks {
    /** On every unit: a key that has it not was deleted, or never created, and is only held by mistake. */
    static final String UNIT = "~unit";

    /** On a unit that is to be deleted as soon as its worker has let go of it. */
    static final String DELETING = "~deleting";

    /** A number: how heavy the unit is. */
    public static final String WEIGHT = "weight";

    /** A list of names: the units that must be done before this one is given out. */
    public static final String AFTER = "after";

    private static final String HIDDEN = "~";

    private Marks() {}

    static Attributes shown(Attributes attributes) {
        if (attributes.names().stream().noneMatch(name -> name.startsWith(HIDDEN))) {
            return attributes;
        }
        Map<String, AttributeValue> shown = new HashMap<>(attributes.asMap());
        shown.keySet().removeIf(name -> name.startsWith(HIDDEN));
        return Attributes.of(shown);
    }

    /** A user's change, made so that it leaves our marks alone. */
    static AttributePatch keepingMarks(AttributePatch patch) {
        requireShown(patch.puts());
        patch.removes().forEach(Marks::requireShown);
        return patch.replaces() ? patch.put(UNIT, true) : patch;
    }

    static Attributes requireValid(Attributes attributes) {
        requireShown(attributes);
        attributes.get(WEIGHT).ifPresent(weight -> {
            if (!(weight instanceof AttributeValue.Number number)
                    || number.value().signum() <= 0) {
                throw Check.bad(WEIGHT, weight, "a number > 0");
            }
        });
        attributes.get(AFTER).ifPresent(after -> {
            if (names(after).isEmpty()) {
                throw Check.bad(AFTER, after, "a list of names of units");
            }
        });
        return attributes;
    }

    private static void requireShown(Attributes attributes) {
        attributes.names().forEach(Marks::requireShown);
    }

    private static void requireShown(String name) {
        if (name.startsWith(HIDDEN)) {
            throw Check.bad("attribute name", name, "one that does not begin with " + HIDDEN);
        }
    }

    static double weight(Attributes attributes) {
        return attributes
                .number(WEIGHT)
                .map(Number::doubleValue)
                .filter(weight -> weight > 0)
                .orElse(1.0);
    }

    static List<String> after(Attributes attributes) {
        return attributes.get(AFTER).map(Marks::names).orElse(List.of());
    }

    static boolean isPlanned(AttributePatch patch) {
        return patch.replaces()
                || patch.puts().get(WEIGHT).isPresent()
                || patch.puts().get(AFTER).isPresent()
                || patch.removes().contains(WEIGHT)
                || patch.removes().contains(AFTER);
    }

    static AttributeValue names(List<String> names) {
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

    static List<String> names(Attributes attributes, String name) {
        return attributes.get(name).map(Marks::names).orElse(List.of());
    }

    static long number(Attributes attributes, String name) {
        return attributes.number(name).map(Number::longValue).orElse(0L);
    }
}
