package dev.holdfast.fleet.internal.units;

import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Holder;
import dev.holdfast.LeaseStatus;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.fleet.UnitStatus;
import dev.holdfast.support.ArgumentCheck;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The attributes that a fleet keeps on its units. Names that begin with {@code ~} are hidden from users. */
public final class UnitAttributes {
    /** Set on every unit. A key without it was deleted or never created, and is only held by mistake. */
    public static final String UNIT = "~unit";

    /** See {@link #isDeleting}. */
    static final String DELETING = "~deleting";

    /** The weight of the unit, a number. */
    private static final String WEIGHT = "weight";

    /** The names of the units that must be done before this one is assigned, a list. */
    static final String AFTER = "after";

    /** See {@link UnitPlacement}. */
    private static final String REQUIRE = "require";

    private static final String PREFER = "prefer";
    private static final String GROUP = "group";

    private static final String HIDDEN = "~";

    private UnitAttributes() {}

    /** Returns whether the unit will be deleted as soon as its worker has released it. */
    public static boolean isDeleting(Attributes attributes) {
        return attributes.bool(DELETING).orElse(false);
    }

    /** Returns the status of a unit as users see it. */
    public static UnitStatus statusOf(LeaseStatus status) {
        return new UnitStatus(
                status.key().name(),
                status.state(),
                status.holder().map(Holder::name),
                status.fence(),
                shown(status.attributes()),
                isDeleting(status.attributes()));
    }

    public static Attributes shown(Attributes attributes) {
        if (attributes.names().stream().noneMatch(name -> name.startsWith(HIDDEN))) {
            return attributes;
        }
        Map<String, AttributeValue> shown = new HashMap<>(attributes.asMap());
        shown.keySet().removeIf(name -> name.startsWith(HIDDEN));
        return Attributes.of(shown);
    }

    /** Returns a user's patch, adjusted so that it preserves the hidden attributes. */
    public static AttributePatch keepingMarks(AttributePatch patch) {
        patch.puts().names().forEach(UnitAttributes::requireShown);
        patch.removes().forEach(UnitAttributes::requireShown);
        return patch.replaces() ? patch.put(UNIT, true) : patch;
    }

    static Attributes requireValid(Attributes attributes) {
        attributes.names().forEach(UnitAttributes::requireShown);
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
        UnitPlacement.requireValid(REQUIRE, attributes);
        UnitPlacement.requireValid(PREFER, attributes);
        attributes.get(GROUP).ifPresent(group -> {
            if (!(group instanceof AttributeValue.Text text) || text.value().isEmpty()) {
                throw ArgumentCheck.bad(GROUP, group, "a text that is not empty");
            }
        });
        return attributes;
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

    public static UnitPlacement placement(Attributes attributes) {
        UnitPlacement placement = new UnitPlacement(
                requires(attributes),
                UnitPlacement.conditions(attributes, PREFER),
                attributes.text(GROUP).orElse(""));
        return placement.equals(UnitPlacement.ANYWHERE) ? UnitPlacement.ANYWHERE : placement;
    }

    /** Returns the conditions on labels that the unit's worker must meet. */
    public static LabelConditions requires(Attributes attributes) {
        return UnitPlacement.conditions(attributes, REQUIRE);
    }

    public static List<String> after(Attributes attributes) {
        return names(attributes, AFTER);
    }

    static boolean isPlanned(AttributePatch patch) {
        return patch.replaces()
                || Stream.of(WEIGHT, AFTER, REQUIRE, PREFER, GROUP)
                        .anyMatch(name -> patch.puts().get(name).isPresent()
                                || patch.removes().contains(name));
    }

    public static AttributeValue names(List<String> names) {
        return new AttributeValue.ListOf(names.stream().map(AttributeValue::of).toList());
    }

    /** Returns the texts of a list; empty for any other value. */
    static List<String> names(AttributeValue value) {
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
