package dev.holdfast.fleet.internal.units;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.LabelConditions;
import dev.holdfast.support.ArgumentCheck;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The wishes of a unit about its worker.
 *
 * @param requires the labels that its worker must have: the unit attribute of that name in the imperative, a map from each label to its value
 *     or to a list of accepted values
 * @param prefers the labels that its worker should have: likewise, of the same form
 * @param group the group with which it is spread: the unit attribute; empty if not set
 */
public record UnitPlacement(LabelConditions requires, LabelConditions prefers, String group) {
    public static final UnitPlacement ANYWHERE = new UnitPlacement(LabelConditions.NONE, LabelConditions.NONE, "");

    /** The attribute of a worker's anchor. */
    private static final String LABELS = "labels";

    private static final String EXPECTED = "a map with 1 to " + LabelConditions.LABELS_MAX
            + " labels, each with a text or a list of 1 to " + LabelConditions.VALUES_MAX + " texts";

    static void requireValid(String name, Attributes attributes) {
        AttributeValue value = attributes.get(name).orElse(null);
        if (value == null) {
            return;
        }
        if (!(value instanceof AttributeValue.MapOf map)
                || map.entries().isEmpty()
                || map.entries().size() > LabelConditions.LABELS_MAX) {
            throw ArgumentCheck.bad(name, value, EXPECTED);
        }
        map.entries().forEach((label, accepted) -> {
            List<String> values = texts(accepted);
            int given = accepted instanceof AttributeValue.ListOf list
                    ? list.values().size()
                    : 1;
            if (values.isEmpty() || values.size() != given || given > LabelConditions.VALUES_MAX) {
                throw ArgumentCheck.bad(name, value, EXPECTED);
            }
            values.forEach(text -> LabelConditions.requireLabel(label, text));
        });
    }

    /**
     * Returns the conditions under a name. A condition without a readable value is met by no worker. So a value that was
     * written without a check shows as a required label that is missing, and is not ignored.
     */
    static LabelConditions conditions(Attributes attributes, String name) {
        return attributes.get(name).map(UnitPlacement::conditions).orElse(LabelConditions.NONE);
    }

    /** Returns the conditions in an attribute value. */
    public static LabelConditions conditions(AttributeValue value) {
        if (!(value instanceof AttributeValue.MapOf map)) {
            return LabelConditions.NONE;
        }
        return new LabelConditions(map.entries().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> new TreeSet<>(texts(entry.getValue())))));
    }

    /** Returns the attribute value of conditions. */
    public static AttributeValue conditions(LabelConditions conditions) {
        Map<String, AttributeValue> values = new TreeMap<>();
        conditions
                .accepted()
                .forEach((label, accepted) -> values.put(label, UnitAttributes.names(List.copyOf(accepted))));
        return new AttributeValue.MapOf(values);
    }

    private static List<String> texts(AttributeValue value) {
        return value instanceof AttributeValue.Text text ? List.of(text.value()) : UnitAttributes.names(value);
    }

    /** Returns a worker's report with its labels. */
    public static Attributes withLabels(Attributes report, Map<String, String> labels) {
        Map<String, AttributeValue> values = new TreeMap<>();
        labels.forEach((label, value) -> values.put(label, AttributeValue.of(value)));
        return values.isEmpty() ? report : report.with(LABELS, new AttributeValue.MapOf(values));
    }

    /** Returns the labels in a worker's report, without any that are not texts. */
    public static Map<String, String> workerLabels(Attributes report) {
        Map<String, String> labels = new TreeMap<>();
        if (report.get(LABELS).orElse(null) instanceof AttributeValue.MapOf map) {
            map.entries().forEach((label, value) -> {
                if (value instanceof AttributeValue.Text text) {
                    labels.put(label, text.value());
                }
            });
        }
        return labels;
    }
}
