package dev.holdfast.fleet;

import dev.holdfast.support.ArgumentCheck;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Conditions of a unit on the labels of its worker, by label. A condition is met by a worker that has the label with one
 * of the accepted values.
 *
 * @param accepted the accepted values of each label; sorted and unmodifiable
 */
public record LabelConditions(Map<String, SortedSet<String>> accepted) {
    /** The maximum number of labels of a worker, and of conditions of a unit. A report with them stays small. */
    public static final int LABELS_MAX = 16;

    /** The maximum number of accepted values of a condition. */
    public static final int VALUES_MAX = 16;

    private static final int NAME_BYTES_MAX = 64;
    private static final int VALUE_BYTES_MAX = 128;

    public static final LabelConditions NONE = new LabelConditions(Map.of());

    public LabelConditions {
        SortedMap<String, SortedSet<String>> sorted = new TreeMap<>();
        accepted.forEach(
                (label, values) -> sorted.put(label, Collections.unmodifiableSortedSet(new TreeSet<>(values))));
        accepted = Collections.unmodifiableSortedMap(sorted);
    }

    /** Checks the name of a label. */
    public static String requireName(String name) {
        ArgumentCheck.nonEmptyText("label", name, NAME_BYTES_MAX);
        if (name.indexOf('=') >= 0) {
            throw ArgumentCheck.bad("label", name, "no =");
        }
        return name;
    }

    /** Checks the name and the value of a label. */
    public static void requireLabel(String name, String value) {
        requireName(name);
        ArgumentCheck.nonEmptyText("value of label " + name, value, VALUE_BYTES_MAX);
    }

    public boolean isEmpty() {
        return accepted.isEmpty();
    }

    /** Returns whether a worker with these labels meets all conditions. */
    public boolean areMetBy(Map<String, String> labels) {
        return countMetBy(labels) == accepted.size();
    }

    /** Returns how many of the conditions a worker with these labels meets. */
    public int countMetBy(Map<String, String> labels) {
        int met = 0;
        for (Map.Entry<String, SortedSet<String>> condition : accepted.entrySet()) {
            String value = labels.get(condition.getKey());
            met += value != null && condition.getValue().contains(value) ? 1 : 0;
        }
        return met;
    }

    /** Returns the conditions on these labels only. */
    public LabelConditions on(Predicate<String> isSelected) {
        return new LabelConditions(accepted.entrySet().stream()
                .filter(condition -> isSelected.test(condition.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** Returns text such as {@code zone=a|b and disk=ssd}. */
    @Override
    public String toString() {
        return accepted.entrySet().stream()
                .map(condition -> condition.getKey() + "=" + String.join("|", condition.getValue()))
                .collect(Collectors.joining(" and "));
    }
}
